import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {WORK, changes, csvRows, downloaded, headroom, onPage, plotted} from './browser.mjs';
import {everything, folders} from './folders.mjs';

onPage(everything, 'sweep: any quantity over any two axes as lines or heat map, and a third axis by slider', async (page) => {
  const figure = page.locator('#s6-explorer');
  const choose = (label, option) => () => figure.getByLabel(label, {exact: true}).selectOption({label: option});
  assert.ok(await changes(page, 's6-explorer', choose('Quantity', 'Entropy of the weights')));
  assert.ok(await changes(page, 's6-explorer', choose('And', 'normalizer')));
  assert.ok(await changes(page, 's6-explorer', choose('As', 'heat map')));
  assert.ok(await changes(page, 's6-explorer', choose('Along', 'temperature T')));
  assert.ok(await changes(page, 's6-explorer', async () => {
    await figure.getByRole('slider').focus();
    await page.keyboard.press('ArrowLeft');
  }));
  assert.ok(await changes(page, 's6-explorer', choose('Along', 'normalizer')));
  await choose('As', 'lines with intervals')();
  await choose('Quantity', 'Separable share Nₛ/N')();
  await choose('Along', 'context length L')();
});

onPage(everything, 'sweep: the table and the lines are the values that results export gives', async (page) => {
  const exported = join(WORK, 'sweep.csv');
  headroom('results', 'export', folders.sweep, '--to', exported);
  const [header, ...rows] = csvRows(readFileSync(exported, 'utf8'));
  const of = (row, name) => row[header.indexOf(name)];
  const key = (length, top, temperature, normalizer, quantity) => [Number(length), Number(top), Number(temperature), normalizer, quantity].join(' ');
  const values = new Map(rows.map((row) => [key(of(row, 'length'), of(row, 'top'), of(row, 'temperature'), of(row, 'normalizer'), of(row, 'quantity')), [of(row, 'mean'), of(row, 'standard_error')].map(Number)]));
  const saved = csvRows(readFileSync(await downloaded(page, () => page.locator('#s6').getByRole('button', {name: /Download cells.csv/}).click()), 'utf8'));
  const quantities = saved[0].filter((name) => saved[0].includes(`${name}_se`));
  assert.equal((saved.length - 1) * quantities.length, values.size);
  for (const row of saved.slice(1)) {
    const at = (name) => row[saved[0].indexOf(name)];
    for (const quantity of quantities) {
      assert.deepEqual([at(quantity), at(`${quantity}_se`)].map(Number), values.get(key(at('length'), at('top'), at('temperature'), at('normalizer'), quantity)));
    }
  }
  const figure = page.locator('#s6-explorer');
  await figure.getByLabel('And', {exact: true}).selectOption({label: 'nothing else'});
  const fixed = await figure.locator('figcaption').innerText();
  const [, top, temperature, normalizer] = /N = (\d+), temperature T = ([\d.]+), normalizer = (\S+)\. /.exec(fixed);
  const [[lengths, means]] = JSON.parse(await plotted(page, 's6-explorer'));
  assert.ok(lengths.length >= 2);
  lengths.forEach((length, i) => assert.equal(means[i], values.get(key(length, top, temperature, normalizer, 'separable'))[0]));
});
