import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { ERRORS } from '../../../server-reference/src/errors.ts';

const room = fileURLToPath(new URL('../../../server-reference', import.meta.url));
const sources = readdirSync(`${room}/src`, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(`${room}/src/${path}`, 'utf8'))
  .join('\n');

test.each(Object.keys(ERRORS))('the server uses %s', (code) => {
  expect(sources).toContain(`'${code}'`);
});
