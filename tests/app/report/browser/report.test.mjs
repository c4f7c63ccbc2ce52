import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {cpSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {HEADROOM, SOURCE, WORK, csvRows, downloaded, drawAll, headroom, launch, open, plotted, screenshots} from './browser.mjs';

const reproduced = join(WORK, 'reproduce');
const verified = join(SOURCE, 'results/paper');
const report = join(WORK, 'report.html');
let browser;

before(async () => {
  rmSync(reproduced, {recursive: true, force: true});
  // A stale page would hide that none was written.
  rmSync(report, {force: true});
  headroom('reproduce', '--length', '64', '-o', reproduced);
  headroom('report', reproduced, verified, '-o', report);
  browser = await launch();
});
after(() => browser?.close());

// Whatever a test does with its page, the page must stay free of faults.
function onPage(name, options, run) {
  test(name, async () => {
    const page = await open(browser, options.file ?? report, options);
    try {
      await run(page);
      assert.deepEqual(page.faults, []);
    } finally {
      await page.close();
    }
  });
}

onPage('the page draws every plot without an error and without a request', {}, async (page) => {
  await drawAll(page);
  const drawn = await page.locator('.plot .main-svg').count();
  const plots = await page.locator('.plot').count();
  assert.ok(plots >= 8 && drawn >= plots, `${drawn} drawings of ${plots} plots`);
});

onPage('the pickers of quantity, N, L and head change the map and the curves', {}, async (page) => {
  const choose = (label, option) => page.getByLabel(label, {exact: true}).first().selectOption(option);
  const watched = ['s1-map', 's1-over-top', 's1-over-length'];
  const look = async () => Promise.all(watched.map((id) => plotted(page, id)));
  const changes = async (change) => {
    const was = await look();
    await change();
    const is = await look();
    return watched.filter((_, i) => was[i] !== is[i]);
  };
  assert.deepEqual(await changes(() => choose('Quantity', {label: 'Entropy of the weights'})), watched);
  assert.deepEqual(await changes(() => choose('Quantity', {label: 'Distance D of the top N'})), watched);
  assert.deepEqual(await changes(() => choose('N', {label: '4'})), ['s1-map', 's1-over-length']);
  assert.deepEqual(await changes(() => choose('L', {label: '32'})), ['s1-map', 's1-over-top']);
  assert.deepEqual(await changes(() => choose('Head', {label: '3'})), watched);
  assert.deepEqual(await changes(() => choose('Layer', {label: '5'})), watched);
});

onPage('a click on the map chooses its head', {}, async (page) => {
  await plotted(page, 's1-map');
  await page.locator('#s1-map').scrollIntoViewIfNeeded();
  const at = await page.evaluate(() => {
    const {node} = document.querySelector('#s1-map .plot').plot;
    const box = node.querySelector('.nsewdrag').getBoundingClientRect();
    return {x: box.x + box.width * (7 + 0.5) / 12, y: box.y + box.height * (4 + 0.5) / 12};
  });
  await page.mouse.move(at.x - 3, at.y);
  await page.mouse.move(at.x, at.y);
  await page.waitForTimeout(100);
  await page.mouse.click(at.x, at.y);
  await page.waitForFunction(() => document.querySelector('#s1-over-top figcaption').textContent.includes('layer 4, head 7'));
});

onPage('the tables and the downloads of the figures are the CSV files', {}, async (page) => {
  for (const name of ['figure2a', 'figure2b', 'figure2c', 'figure3', 'figure4']) {
    const figure = page.locator(`#s1-${name}`);
    const file = csvRows(readFileSync(join(reproduced, `${name}.csv`), 'utf8'));
    await figure.getByText('Numbers', {exact: true}).click();
    const more = figure.getByRole('button', {name: /^Show all/});
    if (await more.count() > 0) await more.click();
    const header = await figure.locator('thead th').allTextContents();
    assert.deepEqual(header, file[0]);
    const cells = await figure.locator('tbody td').evaluateAll((all) => all.map((cell) => [cell.title, cell.textContent]));
    assert.equal(cells.length, (file.length - 1) * header.length);
    file.slice(1).flat().forEach((value, i) => {
      const [exact, shown] = cells[i];
      assert.ok(value === exact || Number(value) === Number(exact), `${name}: ${value} is shown as ${exact}`);
      if (/^[0-9.]+$/.test(shown) && value !== '') assert.ok(Math.abs(Number(shown) - Number(value)) <= 1e-4 * Number(value), `${value} reads ${shown}`);
    });
    const saved = csvRows(readFileSync(await downloaded(page, () => figure.getByRole('button', {name: 'Download CSV'}).click()), 'utf8'));
    assert.deepEqual(saved[0], file[0]);
    saved.slice(1).forEach((row, i) => row.forEach((value, j) => assert.ok(value === file[i + 1][j] || Number(value) === Number(file[i + 1][j]))));
  }
});

onPage('heads.csv can be saved from the page with every row and digit', {}, async (page) => {
  const file = csvRows(readFileSync(join(reproduced, 'heads.csv'), 'utf8'));
  const saved = csvRows(readFileSync(await downloaded(page, () => page.getByRole('button', {name: /Download heads.csv/}).click()), 'utf8'));
  assert.equal(saved.length, file.length);
  assert.deepEqual(saved.map((row) => row.map(Number)).slice(1), file.map((row) => row.map(Number)).slice(1));
});

onPage('a legend entry hides its line and shows it again', {}, async (page) => {
  const before = await plotted(page, 's1-figure2a');
  const entry = page.locator('#s1-figure2a .legend button').last();
  await entry.click();
  assert.equal(await entry.getAttribute('aria-pressed'), 'false');
  const hidden = await plotted(page, 's1-figure2a');
  assert.ok(hidden.length < before.length);
  await entry.click();
  assert.equal(await plotted(page, 's1-figure2a'), before);
});

onPage('claims can be sorted, searched, filtered and opened', {}, async (page) => {
  const verdicts = JSON.parse(readFileSync(join(verified, 'verdicts.json'), 'utf8')).claims;
  const ids = () => page.locator('.claims .open').allTextContents();
  assert.deepEqual(await ids(), verdicts.map((claim) => claim.id));
  await page.getByRole('button', {name: /^Trials/}).click();
  const trials = verdicts.map((claim) => claim.trials).sort((a, b) => a - b);
  const shown = await page.locator('.claims tr.claim td:nth-child(6)').allTextContents();
  assert.deepEqual(shown.map((text) => Number(text.replaceAll(',', ''))), trials);
  await page.getByLabel('Verdict', {exact: true}).selectOption({label: 'refuted'});
  const refuted = verdicts.filter((claim) => claim.verdict === 'refuted').map((claim) => claim.id);
  assert.deepEqual((await ids()).sort(), refuted.sort());
  await page.getByLabel('Search').fill('corollary 3');
  assert.deepEqual(await ids(), ['cor3']);
  await page.getByRole('button', {name: 'cor3'}).click();
  const detail = page.locator('.claim-detail');
  assert.match(await detail.innerText(), /arXiv 2508\.17821, Corollary 3, as printed/);
  assert.equal(await detail.locator('math').count() > 0, true);
  await page.waitForSelector('#s2-cor3-smallest .main-svg');
  assert.match(await plotted(page, 's2-cor3-smallest'), /\[0\.5,0\.5\]/);
  await page.getByLabel('only unexpected').check();
  assert.deepEqual(await ids(), []);
});

onPage('what each claim opens is drawn without an error', {}, async (page) => {
  await page.evaluate(() => document.querySelectorAll('.claims .open').forEach((button) => button.click()));
  await drawAll(page);
  assert.equal(await page.locator('tr.detail:not([hidden])').count(), 36);
});

onPage('everything can be reached and used with the keyboard alone', {}, async (page) => {
  const focused = () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 60));
  await page.keyboard.press('Tab');
  assert.match(await focused(), /Skip to the results|skip/);
  await page.getByLabel('Quantity', {exact: true}).focus();
  const was = await plotted(page, 's1-map');
  await page.keyboard.press('ArrowDown');
  assert.notEqual(await plotted(page, 's1-map'), was);
  await page.getByRole('button', {name: 'cor3', exact: true}).focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.claim-detail');
  const unreachable = await page.evaluate(() => [...document.querySelectorAll('button, select, input, summary, a')].filter((node) => node.tabIndex < 0).length);
  assert.equal(unreachable, 0);
});

onPage('dark and light follow the system and the button', {colorScheme: 'dark'}, async (page) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const ink = () => page.evaluate(() => {
    const {plot} = document.querySelector('#s1-figure2a .plot');
    plot.show();
    return plot.node.layout.font.color;
  });
  const [dark, darkInk] = [await ground(), await ink()];
  await page.getByRole('button', {name: /Light/}).click();
  assert.notEqual(await ground(), dark);
  assert.notEqual(await ink(), darkInk);
});

test('the policy of the page lets no other script run and nothing be fetched', async () => {
  const page = await open(browser, report);
  const ran = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.injected = true';
    document.body.append(script);
    const fetched = await fetch('data:text/plain,x').then(() => true, () => false);
    return [window.injected === true, fetched];
  });
  await page.close();
  assert.deepEqual(ran, [false, false]);
});

const hostile = `<img src=x onerror=alert(1)>"'&<script>alert(2)<\u002fscript>`;

test('markup and quotes in names of models, texts, folders, claims and parameters are shown as text', async () => {
  const named = (kind) => join(WORK, `${kind} ${hostile.replaceAll('/', '∕')}`);
  const change = (file, edit) => {
    const json = JSON.parse(readFileSync(file, 'utf8'));
    edit(json);
    writeFileSync(file, JSON.stringify(json));
  };
  for (const [kind, from] of [['reproduce', reproduced], ['verify', verified]]) {
    rmSync(named(kind), {recursive: true, force: true});
    cpSync(from, named(kind), {recursive: true});
  }
  change(join(named('reproduce'), 'run.json'), (run) => {
    run.model.file = `/${hostile.replaceAll('/', '')}/model.onnx`;
    run.text.file = `/${hostile}.txt`;
    run.command_line.push(hostile);
    run.date = hostile;
  });
  change(join(named('verify'), 'verdicts.json'), (verdicts) => {
    verdicts.preset = hostile;
    Object.assign(verdicts.claims[0], {id: hostile, reason: hostile, kind: hostile, verdict: hostile});
    verdicts.claims[0].worst.parameters.normalizer = hostile;
    verdicts.claims[0].worst.test = hostile;
  });
  const cells = readFileSync(join(named('verify'), 'cells.jsonl'), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
  for (const cell of cells) {
    if (cell.claim === 'lemma1') cell.claim = hostile;
    cell.parameters.normalizer = hostile;
  }
  writeFileSync(join(named('verify'), 'cells.jsonl'), cells.map((cell) => JSON.stringify(cell)).join('\n') + '\n');
  const file = join(WORK, 'hostile.html');
  headroom('report', named('reproduce'), named('verify'), '-o', file);
  const page = await open(browser, file);
  await page.evaluate(() => document.querySelectorAll('.claims .open').forEach((button) => button.click()));
  await drawAll(page);
  await page.waitForTimeout(300);
  const found = await page.evaluate(() => ({images: document.images.length, scripts: document.scripts.length, text: document.body.textContent}));
  assert.equal(found.images, 0);
  assert.equal(found.scripts, 3);
  assert.ok(found.text.includes(hostile));
  assert.deepEqual(page.faults, []);
  await page.close();
});

test('a half-written folder is shown with what is missing by name', async () => {
  const half = join(WORK, 'half');
  rmSync(half, {recursive: true, force: true});
  cpSync(reproduced, half, {recursive: true});
  rmSync(join(half, 'run.json'));
  rmSync(join(half, 'figure3.csv'));
  const file = join(WORK, 'half.html');
  headroom('report', half, '-o', file);
  const page = await open(browser, file);
  assert.match(await page.locator('.notices').innerText(), /run\.json[\s\S]*figure3\.csv/);
  await drawAll(page);
  assert.equal(await page.locator('#s1-figure4 .main-svg').count() > 0, true);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test('the pages of frontier, diagnose and compare draw, and their pickers change what they show', async () => {
  const folder = (name) => join(WORK, name);
  headroom('frontier', '-o', folder('frontier'));
  // diagnose and compare take a model: their files are made here from the heads that reproduce measured.
  const rows = csvRows(readFileSync(join(reproduced, 'heads.csv'), 'utf8'));
  const at = (row, name) => row[rows[0].indexOf(name)];
  const write = (name, file, text) => {
    mkdirSync(folder(name), {recursive: true});
    writeFileSync(join(folder(name), file), text);
  };
  const heads = rows.slice(1).filter((row) => at(row, 'length') === '64' && at(row, 'top') === '16');
  write('diagnose', 'heads.csv', 'layer,head,active_share,separable,entropy_slope,effective_temperature,group,fired\n' +
    heads.map((row, i) => [at(row, 'layer'), at(row, 'head'), i / 288, at(row, 'separable'), '', 1, i % 3 ? 'mixer' : hostile.replaceAll('"', ''), i > 20 ? 'active+separable' : ''].join(',')).join('\n') + '\n');
  write('diagnose', 'run.json', '{"schema": "headroom.diagnose_run/1", "limits": {"active_share": 0.06, "separable": 0.8, "entropy_slope": 0.05, "effective_temperature": 0.1}}');
  write('compare', 'heads.csv', 'layer,head,normalizer,temperature,length,top,separable,entropy\n' + rows.slice(1).flatMap((row) => ['softmax', '<b>other</b>'].map((normalizer, i) =>
    [at(row, 'layer'), at(row, 'head'), normalizer, 8, at(row, 'length'), at(row, 'top'), at(row, 'separable') / (1 + i), at(row, 'entropy')].join(','))).join('\n') + '\n');
  write('compare', 'normalizers.csv', 'normalizer,separable\nsoftmax,0.5\n<b>other</b>,0.25\n');
  write('compare', 'run.json', '{"schema": "headroom.compare_run/1"}');
  const file = join(WORK, 'normalizers.html');
  headroom('report', folder('frontier'), folder('diagnose'), folder('compare'), '-o', file);
  const page = await open(browser, file);
  await drawAll(page);
  const changes = async (id, change) => {
    const was = await plotted(page, id);
    await change();
    return was !== await plotted(page, id);
  };
  const within = (id) => page.locator(`#${id}`);
  assert.ok(await changes('s2-map', () => within('s2-heads').getByLabel('Quantity').selectOption({label: 'Separable share Nₛ/N'})));
  assert.ok(await changes('s2-map', () => within('s2-heads').getByLabel('Mark heads with').selectOption({label: 'group: mixer'})));
  assert.ok(await changes('s3-explorer', () => within('s3-explorer').getByLabel('Quantity').selectOption({label: 'Entropy of the weights'})));
  assert.ok(await changes('s3-explorer', () => within('s3-explorer').getByLabel('As', {exact: true}).selectOption({label: 'heat map'})));
  assert.ok(await changes('s3-explorer', () => within('s3-explorer').getByLabel('Along').selectOption({label: 'context length L'})));
  assert.ok(await changes('s3-explorer', async () => {
    await within('s3-explorer').getByRole('slider').focus();
    await page.keyboard.press('ArrowRight');
  }));
  assert.ok(await changes('s3-multiples', () => within('s3-multiples').getByLabel('Layer', {exact: true}).selectOption({label: '3'})));
  assert.equal(await page.evaluate(() => document.querySelectorAll('main b').length), 0);
  await page.setViewportSize({width: 400, height: 900});
  await page.waitForTimeout(400);
  await page.screenshot({path: join(screenshots, 'normalizers-400.png'), fullPage: true});
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
  assert.deepEqual(page.faults, []);
  await page.close();
});

for (const width of [400, 800, 1400]) {
  for (const colorScheme of ['light', 'dark']) {
    onPage(`nothing is cut off at ${width} pixels, ${colorScheme}`, {viewport: {width, height: 900}, colorScheme}, async (page) => {
      await page.getByRole('button', {name: 'cor3', exact: true}).click();
      await drawAll(page);
      await page.waitForTimeout(400);
      const wide = await page.evaluate(() => [...document.querySelectorAll('main *')].filter((node) => !node.closest('.scroll') && node.getBoundingClientRect().right > innerWidth + 1).length);
      assert.equal(wide, 0);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      await page.screenshot({path: join(screenshots, `${width}-${colorScheme}.png`), fullPage: true});
    });
  }
}

onPage('the page prints, light, with its plots', {colorScheme: 'dark'}, async (page) => {
  const printed = await page.pdf({path: join(screenshots, 'printed.pdf'), format: 'A4'});
  assert.ok(printed.length > 50000);
});
