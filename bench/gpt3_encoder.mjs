// node gpt3_encoder.mjs PACKAGE TEXT: encodes a text with the npm package gpt-3-encoder in the folder PACKAGE; prints the
// seconds that took, without start and reading, and then the tokens.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { encodeInParts } from '../tests/model/fixtures/encode_in_parts.mjs';

const [folder, file] = process.argv.slice(2);
const { encode } = createRequire(import.meta.url)(path.resolve(folder));
const text = fs.readFileSync(file, 'utf8');
const start = process.hrtime.bigint();
const ids = encodeInParts(encode, text);
const seconds = Number(process.hrtime.bigint() - start) / 1e9;
process.stdout.write(`seconds ${seconds}\n${ids.join('\n')}\n`);
