import assert from 'node:assert/strict';
import {join} from 'node:path';
import {drawAll, onPage, plotted, screenshots} from './browser.mjs';
import {everything, kinds, section} from './folders.mjs';

onPage(everything, 'everything can be reached and used with the keyboard alone', async (page) => {
  const focused = () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 60));
  await page.evaluate(() => document.activeElement?.blur());
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator('.skip').focus();
  assert.match(await focused(), /skip/);
  await page.keyboard.press('Tab');
  assert.match(await focused(), /class="theme"/);
  await page.locator('#s1-heads').getByLabel('Quantity', {exact: true}).focus();
  const was = await plotted(page, 's1-map');
  await page.keyboard.press('ArrowDown');
  assert.notEqual(await plotted(page, 's1-map'), was);
  await page.getByRole('button', {name: 'cor2.i', exact: true}).focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('#s2-cor2-i-fits .main-svg');
  await page.keyboard.press('Enter');
  const unreachable = await page.evaluate(() => [...document.querySelectorAll('button, select, input, summary, a')].filter((node) => node.tabIndex < 0).length);
  assert.equal(unreachable, 0);
});

// The window is as tall as the page, for pictures of what lies outside of one take seconds each.
const tallest = 30000;

onPage(everything, 'nothing is cut off at 400, 800 and 1,400 pixels, light and dark', async (page) => {
  for (const [width, ...schemes] of [[1400, 'dark', 'light'], [800, 'light'], [400, 'light', 'dark']]) {
    await page.setViewportSize({width, height: tallest});
    for (const colorScheme of schemes) {
      await page.emulateMedia({colorScheme});
      await page.waitForSelector(`html[data-theme="${colorScheme}"]`);
      await drawAll(page);
      await page.waitForTimeout(300);
      const wide = await page.evaluate(() => {
        // Lines that leave their plot are cut off at its edge.
        const clipped = (node) => node instanceof SVGElement && !['svg', 'text'].includes(node.tagName);
        return [...document.querySelectorAll('main *')].filter((node) => !node.closest('.scroll, .scrolls') && !clipped(node) && node.getBoundingClientRect().right > innerWidth + 1)
        .map((node) => `${node.tagName} ${node.className?.baseVal ?? node.className} in ${node.closest('[id]').id}`);
      });
      assert.deepEqual(wide, []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      for (const kind of kinds) {
        const clip = await page.locator(`#${section[kind]}`).boundingBox();
        await page.screenshot({path: join(screenshots, `${kind}-${width}-${colorScheme}.png`), clip});
      }
    }
  }
  await page.setViewportSize({width: 1400, height: 900});
});

onPage(everything, 'the page prints, light, with its plots', async (page) => {
  await page.emulateMedia({colorScheme: 'dark'});
  const printed = await page.pdf({path: join(screenshots, 'printed.pdf'), format: 'A4'});
  assert.ok(printed.length > 50000);
});

onPage(everything, 'dark and light follow the system and the button', async (page) => {
  const look = () => page.evaluate(() => {
    const {plot} = document.querySelector('#s1-figure2a .plot');
    plot.show();
    return [getComputedStyle(document.body).backgroundColor, plot.node.layout.font.color];
  });
  const follow = async (colorScheme) => {
    await page.emulateMedia({colorScheme});
    await page.waitForSelector(`html[data-theme="${colorScheme}"]`);
    return look();
  };
  const light = await follow('light');
  const dark = await follow('dark');
  assert.notDeepEqual(dark, light);
  await page.getByRole('button', {name: /Light/}).click();
  assert.deepEqual(await look(), light);
});

onPage(everything, 'the policy of the page lets no other script run and nothing be fetched', async (page) => {
  const ran = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.injected = true';
    document.body.append(script);
    const fetched = await fetch('data:text/plain,x').then(() => true, () => false);
    return [window.injected === true, fetched];
  });
  assert.deepEqual(ran, [false, false]);
  assert.equal(page.faults.length > 0, true);
  page.faults.length = 0;
});
