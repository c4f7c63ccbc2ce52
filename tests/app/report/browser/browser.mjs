// One browser for the tests, and what a page did in it. The environment names what CMake found:
// PLAYWRIGHT (folder of playwright-core), CHROMIUM, HEADROOM (the program), SOURCE (the repository), WORK (a folder).
import assert from 'node:assert/strict';
import {createRequire} from 'node:module';
import {execFileSync} from 'node:child_process';
import {mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {pathToFileURL} from 'node:url';

export const {PLAYWRIGHT, CHROMIUM, HEADROOM, SOURCE, WORK} = process.env;
const {chromium} = createRequire(import.meta.url)(PLAYWRIGHT);

export const screenshots = join(WORK, 'report-screenshots');
mkdirSync(screenshots, {recursive: true});

export function headroom(...words) {
  execFileSync(HEADROOM, words, {stdio: ['ignore', 'ignore', 'pipe']});
}

let browser = null;
after(() => browser?.close());

export async function launch() {
  browser ??= await chromium.launch({executablePath: CHROMIUM, args: ['--headless', '--no-sandbox', '--disable-gpu',
    '--disable-background-networking', '--disable-component-update', '--disable-sync']});
  return browser;
}

// Opens a page of disk and waits until it is built. `page.faults` gathers errors of the console and scripts, dialogs, and
// requests for anything but the page itself.
export async function open(file) {
  const page = await (await launch()).newPage({viewport: {width: 1400, height: 900}});
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

// Writes a report of some folders and opens it.
export function report(name, ...folders) {
  const file = join(WORK, `${name}.html`);
  // A stale page would hide that none was written.
  rmSync(file, {force: true});
  headroom('report', ...folders, '-o', file);
  return open(file);
}

// A test on a page that many share, for opening one costs a second. It leaves the page as it found it, or says so, and
// free of faults.
export function onPage(shared, name, run) {
  test(name, async () => {
    const page = await shared();
    page.faults.length = 0;
    await run(page);
    assert.deepEqual(page.faults, []);
  });
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

// Whether a plot shows other numbers after something was done.
export async function changes(page, id, change) {
  const was = await plotted(page, id);
  await change();
  return was !== await plotted(page, id);
}

export async function downloaded(page, click) {
  const [file] = await Promise.all([page.waitForEvent('download'), click()]);
  return file.path();
}

// CSV as the program writes it.
export function csvRows(text) {
  const rows = [];
  for (const line of text.trimEnd().split('\n')) {
    rows.push([...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain));
  }
  return rows;
}

const sameCell = (a, b) => a === b || (a !== '' && b !== '' && Number(a) === Number(b));

// That two CSV tables are the same, cell by cell, as numbers where they are.
export function assertSameTable(saved, file, what) {
  assert.deepEqual(saved[0], file[0], what);
  assert.equal(saved.length, file.length, what);
  saved.forEach((row, i) => i > 0 && row.forEach((value, j) => assert.ok(sameCell(value, file[i][j]), `${what}, row ${i}, ${file[0][j]}: ${value} for ${file[i][j]}`)));
}
