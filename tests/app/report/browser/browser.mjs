// A browser for the tests, and what a page did in it. The environment names what CMake found:
// PLAYWRIGHT (folder of playwright-core), CHROMIUM, HEADROOM (the program), SOURCE (the repository), WORK (a folder).
import {createRequire} from 'node:module';
import {execFileSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

export const {PLAYWRIGHT, CHROMIUM, HEADROOM, SOURCE, WORK} = process.env;
const {chromium} = createRequire(import.meta.url)(PLAYWRIGHT);

export const screenshots = join(WORK, 'report-screenshots');
mkdirSync(screenshots, {recursive: true});

export function headroom(...words) {
  execFileSync(HEADROOM, words, {stdio: ['ignore', 'ignore', 'pipe']});
}

export function launch() {
  return chromium.launch({executablePath: CHROMIUM, args: ['--headless', '--no-sandbox', '--disable-gpu',
    '--disable-background-networking', '--disable-component-update', '--disable-sync']});
}

// Opens a page of disk and waits until it is built. `page.faults` gathers errors of the console and scripts, dialogs, and
// requests for anything but the page itself.
export async function open(browser, file, options = {}) {
  const page = await browser.newPage({viewport: {width: 1400, height: 900}, ...options});
  page.setDefaultTimeout(10000);
  page.faults = [];
  const url = pathToFileURL(file).href;
  page.on('console', (message) => page.faults.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => page.faults.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    page.faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== url && !/^(data|blob):/.test(request.url())) page.faults.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  await page.waitForSelector('html[data-ready]', {timeout: 30000});
  return page;
}

// Draws every plot, those far below the window too.
export async function drawAll(page) {
  await page.evaluate(() => document.querySelectorAll('.plot').forEach((node) => node.plot.show()));
}

// The numbers a plot shows now, as text to compare.
export function plotted(page, id) {
  return page.evaluate((name) => {
    const {plot} = document.getElementById(name).querySelector('.plot');
    plot.show();
    return JSON.stringify(plot.node.data.map(({x, y, z}) => [x, y, z]));
  }, id);
}

export async function downloaded(page, click) {
  const [file] = await Promise.all([page.waitForEvent('download'), click()]);
  return file.path();
}

// CSV without quotes, as the program writes tables of numbers.
export function csvRows(text) {
  return text.trimEnd().split('\n').map((line) => line.split(','));
}
