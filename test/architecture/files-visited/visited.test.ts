import { execFileSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { compiledProgram } from '../../compiled-program.ts';

const PROGRAM = compiledProgram(new URL('programs/main.ts', import.meta.url));

interface Result {
  readonly name: string;
  readonly bar: number;
  readonly files: readonly { readonly path: string }[];
}

test('one warm call visits at most as many files as its bar', () => {
  const output = execFileSync(process.execPath, [PROGRAM, '--json'], { encoding: 'utf8' });
  const results: Result[] = JSON.parse(output);
  expect(results).toHaveLength(7);
  const above = results.filter(({ bar, files }) => files.length > bar);
  expect(
    above.map(({ name, files }) => `${name}: ${files.map(({ path }) => path).join(', ')}`),
  ).toEqual([]);
  expect(results.filter(({ files }) => files.length === 0)).toEqual([]);
});
