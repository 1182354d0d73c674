import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';

import { renderJunit, renderMarkdown, renderTerminal } from '@hookproof/conformance';

import { CONFORMANT, FEW, MANY, UNREACHABLE } from './shown-reports.ts';

const NARROW = { columns: 72 };

// `npx vitest run --project unit test/conformance/report/rendered -u` writes the files: read what changes.
test.each([
  ['many.txt', renderTerminal(MANY, NARROW)],
  ['few-verbose.txt', renderTerminal(FEW, { ...NARROW, verbose: true })],
  ['few.md', renderMarkdown(FEW)],
  ['few.xml', renderJunit(FEW)],
  ['conformant.txt', renderTerminal(CONFORMANT)],
  ['unreachable.txt', renderTerminal(UNREACHABLE)],
  ['unreachable.xml', renderJunit(UNREACHABLE)],
])('%s', async (file, text) => {
  await expect(text).toMatchFileSnapshot(`rendered/${file}`);
});

test('a terminal with colors has the same lines', () => {
  const colored = renderTerminal(MANY, { ...NARROW, color: true });
  expect(colored).toContain('\u001b[32m1 pass\u001b[39m');
  expect(stripVTControlCharacters(colored)).toBe(renderTerminal(MANY, NARROW));
});
