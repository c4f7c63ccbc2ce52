import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {assertSameTable, changes, csvRows, downloaded, onPage, plotted} from './browser.mjs';
import {everything, read} from './folders.mjs';

onPage(everything, 'compare: quantity, axes, kind of plot and layer change what is shown', async (page) => {
  const explorer = page.locator('#s3-explorer');
  const choose = (label, option) => () => explorer.getByLabel(label, {exact: true}).selectOption({label: option});
  assert.ok(await changes(page, 's3-explorer', choose('Quantity', 'Entropy of the weights')));
  assert.ok(await changes(page, 's3-explorer', choose('As', 'heat map')));
  assert.ok(await changes(page, 's3-explorer', choose('Along', 'context length L')));
  assert.ok(await changes(page, 's3-multiples', () => page.locator('#s3-multiples').getByLabel('Layer', {exact: true}).selectOption({label: '3'})));
});

onPage(everything, 'compare: the frontier of the normalizers stands beside what was measured of them', async (page) => {
  const names = new Set(csvRows(read('compare', 'normalizers.csv')).slice(1).map(([normalizer]) => normalizer));
  assert.equal(JSON.parse(await plotted(page, 's3-frontier')).length, names.size);
  assert.equal(JSON.parse(await plotted(page, 's3-trade')).length, names.size);
  assert.ok(await changes(page, 's3-trade', () => page.locator('#s3-trade').getByLabel('N', {exact: true}).selectOption({label: '4'})));
});

onPage(everything, 'diagnose: every head shows the rules that fired for it', async (page) => {
  const [header, ...rows] = csvRows(read('diagnose', 'heads.csv'));
  const [[, , corners]] = JSON.parse(await plotted(page, 's4-rules'));
  ['active', 'separable', 'entropy', 'temperature'].forEach((rule, index) => {
    for (const row of rows) {
      const [layer, head, fired] = ['layer', 'head', 'fired'].map((name) => row[header.indexOf(name)]);
      assert.equal(corners[2 * layer + (index >> 1)][2 * head + index % 2], fired.split('+').includes(rule) ? index + 1 : 0);
    }
  });
  const entry = page.locator('#s4-rules .legend button').first();
  assert.ok(await changes(page, 's4-rules', () => entry.click()));
  await entry.click();
});

onPage(everything, 'diagnose: the quantity and the rule change the map', async (page) => {
  const view = page.locator('#s4');
  assert.ok(await changes(page, 's4-map', () => view.getByLabel('Quantity').first().selectOption({label: 'Separable share Nₛ/N'})));
  assert.ok(await changes(page, 's4-map', () => view.getByLabel('Mark heads with').selectOption({label: 'group: mixer'})));
});

onPage(everything, 'what compare, diagnose and frontier wrote can be saved as it is', async (page) => {
  for (const [id, kind, name] of [['s3', 'compare', 'heads.csv'], ['s3', 'compare', 'normalizers.csv'], ['s4', 'diagnose', 'heads.csv'], ['s5', 'frontier', 'frontier.csv']]) {
    const saved = await downloaded(page, () => page.locator(`#${id}`).getByRole('button', {name: `Download ${name}`}).click());
    assertSameTable(csvRows(readFileSync(saved, 'utf8')), csvRows(read(kind, name)), `${kind}/${name}`);
  }
});

onPage(everything, 'frontier: every normalizer that can reach the weight has its curve', async (page) => {
  const names = new Set(csvRows(read('frontier', 'curves.csv')).slice(1).map(([normalizer]) => normalizer));
  assert.equal(JSON.parse(await plotted(page, 's5-frontier')).length, names.size);
});
