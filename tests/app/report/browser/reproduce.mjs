import assert from 'node:assert/strict';
import {assertSameTable, csvRows, downloaded, drawAll, onPage, plotted} from './browser.mjs';
import {readFileSync} from 'node:fs';
import {everything, read} from './folders.mjs';

onPage(everything, 'the page draws every plot without an error and without a request', async (page) => {
  await drawAll(page);
  const drawn = await page.locator('.plot .main-svg').count();
  const plots = await page.locator('.plot').count();
  assert.ok(plots >= 15 && drawn >= plots, `${drawn} drawings of ${plots} plots`);
});

onPage(everything, 'the pickers of quantity, N, L and head change the map and the curves', async (page) => {
  const choose = (label, option) => page.locator('#s1-heads').getByLabel(label, {exact: true}).first().selectOption(option);
  const watched = ['s1-map', 's1-over-top', 's1-over-length'];
  const look = async () => Promise.all(watched.map((id) => plotted(page, id)));
  const changed = async (change) => {
    const was = await look();
    await change();
    const is = await look();
    return watched.filter((_, i) => was[i] !== is[i]);
  };
  assert.deepEqual(await changed(() => choose('Quantity', {label: 'Entropy of the weights'})), watched);
  assert.deepEqual(await changed(() => choose('Quantity', {label: 'Distance D of the top N'})), watched);
  assert.deepEqual(await changed(() => choose('N', {label: '4'})), ['s1-map', 's1-over-length']);
  assert.deepEqual(await changed(() => choose('L', {label: '32'})), ['s1-map', 's1-over-top']);
  assert.deepEqual(await changed(() => choose('Head', {label: '3'})), watched);
  assert.deepEqual(await changed(() => choose('Layer', {label: '5'})), watched);
});

onPage(everything, 'a click on the map chooses its head', async (page) => {
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

onPage(everything, 'the tables and the downloads of the figures are the CSV files', async (page) => {
  for (const name of ['figure2a', 'figure2b', 'figure2c', 'figure3', 'figure4']) {
    const figure = page.locator(`#s1-${name}`);
    const file = csvRows(read('reproduce', `${name}.csv`));
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
    assertSameTable(csvRows(readFileSync(await downloaded(page, () => figure.getByRole('button', {name: 'Download CSV'}).click()), 'utf8')), file, name);
    await figure.getByText('Numbers', {exact: true}).click();
  }
});

onPage(everything, 'heads.csv can be saved from the page with every row and digit', async (page) => {
  const saved = await downloaded(page, () => page.locator('#s1').getByRole('button', {name: /Download heads.csv/}).click());
  assertSameTable(csvRows(readFileSync(saved, 'utf8')), csvRows(read('reproduce', 'heads.csv')), 'heads.csv');
});

onPage(everything, 'a legend entry hides its line and shows it again', async (page) => {
  const before = await plotted(page, 's1-figure2a');
  const entry = page.locator('#s1-figure2a .legend button').last();
  await entry.click();
  assert.equal(await entry.getAttribute('aria-pressed'), 'false');
  const hidden = await plotted(page, 's1-figure2a');
  assert.ok(hidden.length < before.length);
  await entry.click();
  assert.equal(await plotted(page, 's1-figure2a'), before);
});
