// A folder of every kind, written by the commands themselves, and one page of all.
import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {SOURCE, WORK, headroom, report} from './browser.mjs';

export const folders = {
  reproduce: join(WORK, 'reproduce'), verify: join(SOURCE, 'results/paper'), compare: join(WORK, 'compare'), diagnose: join(WORK, 'diagnose'), frontier: join(WORK, 'frontier'), sweep: join(WORK, 'sweep'),
};

// Sections in this order: s1 to s6.
export const kinds = Object.keys(folders);
export const section = Object.fromEntries(kinds.map((kind, index) => [kind, `s${index + 1}`]));

const grid = `trials = 30
exclude = ["top >= length"]
[axes]
length = {scale = "powers-of-two", from = 8, to = 64}
top = [1, 2, 4, 16]
temperature = [0.5, 1, 2]
normalizer = ["softmax", "entmax:alpha=1.5", "ssmax:s=0.43"]
[constants]
dim = 8
`;

let written = false;
export function write() {
  if (written) return;
  written = true;
  for (const [kind, folder] of Object.entries(folders)) {
    if (kind !== 'verify') rmSync(folder, {recursive: true, force: true});
  }
  headroom('reproduce', '--length', '64', '-o', folders.reproduce);
  headroom('compare', '--length', '64', '--lengths', '32', '--top', '1,2,4,8,16', '--normalizers', 'softmax,ssmax:s=0.43,sparsemax', '-o', folders.compare);
  headroom('diagnose', '--length', '64', '--top', '8', '-o', folders.diagnose);
  headroom('frontier', '-o', folders.frontier);
  writeFileSync(join(WORK, 'grid.toml'), grid);
  headroom('sweep', join(WORK, 'grid.toml'), '-o', folders.sweep);
}

let page = null;
export function everything() {
  if (page === null) {
    write();
    page = report('everything', ...Object.values(folders));
  }
  return page;
}

export const read = (kind, file) => readFileSync(join(folders[kind], file), 'utf8');
