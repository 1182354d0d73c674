import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

import { checks } from '../../conformance/src/index.ts';
import { SCENARIOS } from '../../spec/src/scenarios.ts';
import { emptyFolder, hookproof } from './hookproof.ts';

const scenarios = SCENARIOS.map(({ name }) => name);
const ids = checks.map(({ id }) => id);

/** Saves the script for a shell, and returns its path. */
async function saved(shell: string): Promise<string> {
  const { code, stdout } = await hookproof(['completion', shell]);
  expect(code).toBe(0);
  const file = join(emptyFolder(), `hookproof.${shell}`);
  writeFileSync(file, stdout);
  return file;
}

async function lines(program: string, args: readonly string[]): Promise<string[]> {
  const { stdout, stderr } = await promisify(execFile)(program, args);
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

/** Whether the shell is here. Without it, its tests are left out. */
function has(shell: string): boolean {
  return spawnSync(shell, ['-c', 'true']).status === 0;
}

/** What is completed in each shell: the last word is the one at the cursor. */
const COMPLETED: readonly (readonly [words: readonly string[], expected: readonly string[]])[] = [
  [['hookproof', 'ser'], ['serve']],
  [['npx', 'hookproof', 'exp'], ['explain']],
  [['hookproof', 'trigger', ''], scenarios],
  [['hookproof', 'serve', '--clock', 'v'], ['virtual']],
  [['hookproof', 'serve', '--retry-'], ['--retry-profile']],
  [
    ['hookproof', 'check', '--only', 'api.auth-check.'],
    ids.filter((id) => id.startsWith('api.auth-check.')),
  ],
  [
    ['hookproof', 'redeliver', ''],
    ['ended', 'last'],
  ],
  [['hookproof', 'check', '--report', 'ht'], ['html=']],
  [['hookproof', 'serve', '--defect', 'end-after-40'], ['end-after-408']],
  [['hookproof', 'completion', 'f'], ['fish']],
  [['hookproof', 'serve', '--port', ''], []],
];

/** Calls what bash calls when a user presses Tab. */
async function completed(file: string, words: readonly string[]): Promise<string[]> {
  const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hookproof; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return lines('bash', ['-c', script, 'bash', file, ...words]);
}

describe('bash', () => {
  test.each([...COMPLETED, [['hookproof', 'serve', '--clock', '=', 'r'], ['real']] as const])(
    'completes %j',
    async (words, expected) => {
      const found = await completed(await saved('bash'), words);
      expect(found.toSorted()).toEqual(expected.toSorted());
    },
  );

  test('completes files where an option takes one', async () => {
    const file = await saved('bash');
    expect(await completed(file, ['hookproof', 'check', '--fixtures', ''])).toEqual([]);
    const registered = await lines('bash', [
      '-c',
      'source "$1"; complete -p hookproof npx',
      'bash',
      file,
    ]);
    expect(registered).toEqual([
      'complete -o default -F _hookproof hookproof',
      'complete -o default -F _hookproof npx',
    ]);
  });
});

describe.runIf(has('fish'))('fish', () => {
  test.each(COMPLETED)('completes %j', async (words, expected) => {
    const script = 'source $argv[1]; complete -C "$argv[2]"';
    const found = await lines('fish', ['-c', script, await saved('fish'), words.join(' ')]);
    const offered = found.map((line) => line.split('\t')[0] ?? '');
    expect(offered.toSorted()).toEqual(expected.toSorted());
  });

  test('completes files where an option takes one', async () => {
    const file = await saved('fish');
    const line = `hookproof check --fixtures ${file.slice(0, -2)}`;
    const found = await lines('fish', [
      '-c',
      'source $argv[1]; complete -C "$argv[2]"',
      file,
      line,
    ]);
    expect(found).toEqual([file]);
  });
});

describe.runIf(has('zsh'))('zsh', () => {
  test('has a completion of both programs, which is the script of bash', async () => {
    const script = 'ZDOTDIR=${1:h}; source $1; print -l -- $_comps[hookproof] $_comps[npx]';
    const found = await lines('zsh', ['-fc', script, 'zsh', await saved('zsh')]);
    expect(found).toEqual(Array.from({ length: 2 }, () => expect.stringContaining('_hookproof')));
  });
});
