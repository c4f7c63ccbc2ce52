import assert from 'node:assert/strict';
import {cpSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {join} from 'node:path';
import {WORK, drawAll, headroom, report} from './browser.mjs';
import {folders, kinds, read, write} from './folders.mjs';

const hostile = `<img src=x onerror=alert(1)>"'&<script>alert(2)<\u002fscript>`;

function copied(kind, name) {
  const folder = join(WORK, name);
  rmSync(folder, {recursive: true, force: true});
  cpSync(folders[kind], folder, {recursive: true});
  return folder;
}

function changeJson(file, edit) {
  const json = JSON.parse(readFileSync(file, 'utf8'));
  edit(json);
  writeFileSync(file, JSON.stringify(json));
}

const replaceIn = (file, ...pairs) => writeFileSync(file, pairs.reduce((text, [what, by]) => text.replaceAll(what, by), readFileSync(file, 'utf8')));

// A sweep over logits of a file with a hostile name.
function hostileSweep(folder) {
  const header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 4), }".padEnd(117) + '\n';
  const logits = join(WORK, `${hostile.replaceAll('/', '∕')}.npy`);
  writeFileSync(logits, Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), Buffer.from([header.length, 0]), Buffer.from(header), Buffer.from(new Float64Array([1, 0, 0, 2, 0, 1, 1, 0]).buffer)]));
  const grid = join(WORK, 'hostile.toml');
  writeFileSync(grid, `trials = 5\n[axes]\nlength = [3, 4]\nlogits = ["gaussian", ${JSON.stringify(`file:${logits}`)}]\n[constants]\ndim = 3\ntop = 2\n`);
  rmSync(folder, {recursive: true, force: true});
  headroom('sweep', grid, '-o', folder);
}

test('markup and quotes in names of models, texts, folders, claims, normalizers, groups and parameters are shown as text', async () => {
  write();
  const named = Object.fromEntries(kinds.map((kind) => [kind, copied(kind, `${kind} ${hostile.replaceAll('/', '∕')}`)]));
  for (const kind of ['reproduce', 'compare', 'diagnose']) {
    changeJson(join(named[kind], 'run.json'), (run) => {
      run.model.file = `/${hostile.replaceAll('/', '')}/model.onnx`;
      run.text.file = `/${hostile}.txt`;
      run.command_line.push(hostile);
      run.date = hostile;
    });
  }
  changeJson(join(named.verify, 'verdicts.json'), (verdicts) => {
    verdicts.preset = hostile;
    Object.assign(verdicts.claims[0], {id: hostile, reason: hostile, kind: hostile, verdict: hostile});
    verdicts.claims[0].worst.parameters.normalizer = hostile;
    verdicts.claims[0].worst.test = hostile;
  });
  const cells = read('verify', 'cells.jsonl').trimEnd().split('\n').map((line) => JSON.parse(line));
  for (const cell of cells) {
    if (cell.claim === 'lemma1') cell.claim = hostile;
    cell.parameters.normalizer = hostile;
  }
  writeFileSync(join(named.verify, 'cells.jsonl'), cells.map((cell) => JSON.stringify(cell)).join('\n') + '\n');
  const quoted = `"${hostile.replaceAll('"', '""')}"`;
  for (const [kind, file] of [['compare', 'heads.csv'], ['compare', 'normalizers.csv'], ['frontier', 'curves.csv'], ['frontier', 'frontier.csv']]) replaceIn(join(named[kind], file), [/^sparsemax,/gm, `${quoted},`], [',sparsemax,', `,${quoted},`]);
  changeJson(join(named.compare, 'run.json'), (run) => run.normalizers.push(hostile));
  replaceIn(join(named.diagnose, 'heads.csv'), [',mixer,', `,${quoted},`], ['active', hostile.replaceAll('"', '')]);
  hostileSweep(named.sweep);
  const page = await report('hostile', ...Object.values(named));
  // One of every kind, the first one by its hostile name.
  await page.evaluate((ids) => document.querySelectorAll('.claims .open').forEach((button) => ids.includes(button.textContent) && button.click()), [hostile, 'cor3', 'thm2.upper', 'escape']);
  await drawAll(page);
  await page.waitForTimeout(300);
  const found = await page.evaluate(() => ({images: document.images.length, scripts: document.scripts.length, text: document.body.textContent}));
  assert.equal(found.images, 0);
  assert.equal(found.scripts, 3);
  assert.ok(found.text.split(hostile).length > 20);
  assert.match(await page.locator('#s6-explorer').innerText(), /<img src=x/);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test('half-written folders, two of a kind, are shown with what is missing by name', async () => {
  write();
  const half = copied('reproduce', 'half');
  rmSync(join(half, 'run.json'));
  rmSync(join(half, 'figure3.csv'));
  const torn = copied('sweep', 'torn');
  const shard = join(torn, 'cells', readdirSync(join(torn, 'cells'))[0]);
  writeFileSync(shard, readFileSync(shard, 'utf8').slice(0, -50));
  const page = await report('half', half, folders.reproduce, torn);
  assert.match(await page.locator('#s1 .notices').innerText(), /run\.json[\s\S]*figure3\.csv/);
  assert.equal(await page.locator('#s2 .notices').count(), 0);
  assert.match(await page.locator('#s3 .notices').innerText(), /cut off[\s\S]*1 of 36 cells/);
  await drawAll(page);
  for (const id of ['s1-figure4', 's2-figure3', 's3-explorer']) assert.equal(await page.locator(`#${id} .main-svg`).count() > 0, true);
  assert.deepEqual(page.faults, []);
  await page.close();
});
