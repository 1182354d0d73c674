import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import type { Bench } from '../bench/bench.ts';
import { chooseBenches } from '../bench/choose-benches.ts';

const BENCHES = Object.fromEntries(
  ['sender', 'every-read', 'receive'].map((title): [string, Bench] => [
    title,
    { title, run: async () => [] },
  ]),
);

function chosen(...names: string[]): string[] {
  return chooseBenches(BENCHES, names).map(({ title }) => title);
}

test('npm run bench runs the named parts in the order of the list, and all without a name', () => {
  expect(chosen('receive', 'sender')).toEqual(['sender', 'receive']);
  expect(chosen()).toEqual(['sender', 'every-read', 'receive']);
});

test('an unknown part is refused with the known ones', () => {
  expect(() => chosen('sender', 'nope', 'toString')).toThrow(
    'There is no bench nope, toString. Use one or more of: sender, every-read, receive.',
  );
});

test('the parts that CONTRIBUTING.md names exist', () => {
  const main = readFileSync(new URL('../bench/main.ts', import.meta.url), 'utf8');
  const guide = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8');
  const [, names = ''] = /npm run bench -- ([a-z -]+?) {2,}#/.exec(guide) ?? [];
  expect(names).not.toBe('');
  for (const name of names.split(' ')) expect(main).toMatch(new RegExp(`^  '?${name}'?[:,]`, 'm'));
});
