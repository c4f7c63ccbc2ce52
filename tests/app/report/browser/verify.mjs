import assert from 'node:assert/strict';
import {drawAll, onPage, plotted} from './browser.mjs';
import {everything, read} from './folders.mjs';

const clickAll = (page) => page.evaluate(() => document.querySelectorAll('.claims .open').forEach((button) => button.click()));

onPage(everything, 'what each claim opens is drawn without an error', async (page) => {
  await clickAll(page);
  await drawAll(page);
  assert.equal(await page.locator('tr.detail:not([hidden])').count(), 36);
  const pointwise = JSON.parse(read('verify', 'verdicts.json')).claims.filter(({kind}) => kind === 'pointwise');
  for (const {id} of pointwise) {
    const worst = `#s2-${id.replace(/[^a-z0-9]+/gi, '-')}-worst`;
    assert.ok(await page.locator(`${worst} .main-svg`).count() > 0, `${id} has no worst input`);
  }
  await clickAll(page);
});

onPage(everything, 'claims can be sorted, searched, filtered and opened', async (page) => {
  const verdicts = JSON.parse(read('verify', 'verdicts.json')).claims;
  const within = page.locator('#s2');
  const ids = () => within.locator('.claims .open').allTextContents();
  assert.deepEqual(await ids(), verdicts.map((claim) => claim.id));
  await within.getByRole('button', {name: /^Trials/}).click();
  const trials = verdicts.map((claim) => claim.trials).sort((a, b) => a - b);
  const shown = await within.locator('.claims tr.claim td:nth-child(6)').allTextContents();
  assert.deepEqual(shown.map((text) => Number(text.replaceAll(',', ''))), trials);
  await within.getByLabel('Verdict', {exact: true}).selectOption({label: 'refuted'});
  const refuted = verdicts.filter((claim) => claim.verdict === 'refuted').map((claim) => claim.id);
  assert.deepEqual((await ids()).sort(), refuted.sort());
  await within.getByLabel('Search').fill('corollary 3');
  assert.deepEqual(await ids(), ['cor3']);
  await within.getByRole('button', {name: 'cor3'}).click();
  const detail = within.locator('tr.detail:not([hidden]) .claim-detail');
  assert.match(await detail.innerText(), /arXiv 2508\.17821, Corollary 3, as printed/);
  assert.equal(await detail.locator('math').count() > 0, true);
  await page.waitForSelector('#s2-cor3-smallest .main-svg');
  assert.match(await plotted(page, 's2-cor3-smallest'), /\[0\.5,0\.5\]/);
  await within.getByLabel('only unexpected').check();
  assert.deepEqual(await ids(), []);
  await within.getByLabel('only unexpected').uncheck();
  await within.getByLabel('Search').fill('');
  await within.getByLabel('Verdict', {exact: true}).selectOption({label: 'all'});
  await within.getByRole('button', {name: /^Claim/}).click();
  assert.deepEqual(await ids(), verdicts.map((claim) => claim.id));
});
