import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

import { loadRequirements } from '@hookproof/spec/requirements';

import { coveragePage } from '../../conformance/generate/coverage-page.ts';
import { pages } from '../../conformance/generate/pages.ts';
import { FIXTURE_NAMES, KEY_NAMES } from '../../conformance/src/options/facts.ts';

async function read(name: string): Promise<string> {
  return readFile(new URL(`../../conformance/${name}`, import.meta.url), 'utf8');
}

test.each(pages)('$name is what `npm run generate` writes', async ({ name, render }) => {
  expect(await read(name)).toBe(await render());
});

test('FIXTURES.md explains every fixture and key, and no other', async () => {
  const explained = [...(await read('FIXTURES.md')).matchAll(/^\| `([\w.]+)` +\| \S/gm)];
  const names = [...KEY_NAMES.map((name) => `keys.${name}`), ...FIXTURE_NAMES];
  expect(explained.map(([, name]) => name)).toEqual(names);
});

test('COVERAGE.md refuses a requirement that has neither a check nor a reason', () => {
  const row = loadRequirements().find(({ id }) => id === 'auth-check.identity');
  expect(() => coveragePage(row === undefined ? [] : [row], [])).toThrow(
    new Error(
      'Requirement auth-check.identity must have a check or a reason, got neither. Name it in a check, or add `excluded` with the reason to its row in spec/requirements.yaml.',
    ),
  );
});
