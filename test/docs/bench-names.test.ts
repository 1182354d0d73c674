import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

test('the benches that CONTRIBUTING.md names exist', () => {
  const main = readFileSync(new URL('../bench/main.ts', import.meta.url), 'utf8');
  const guide = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8');
  const [, names = ''] = /npm run bench -- ([a-z -]+?) {2,}#/.exec(guide) ?? [];
  expect(names).not.toBe('');
  for (const name of names.split(' ')) expect(main).toMatch(new RegExp(`^  '?${name}'?[:,]`, 'm'));
});
