import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

import { checks } from '../../conformance/src/index.ts';
import { SCENARIOS } from '../../spec/src/scenarios.ts';
import { describeWith } from '../services/local-server.ts';
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

describeWith('fish')('fish', () => {
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

/** Makes a shell print each word that it offers in `<>`, and `<>` alone at the end. */
const SHOW_OFFERS = `PS1=
compadd() {
  [[ " $* " == *" -"[OAD]" "* ]] && { builtin compadd "$@"; return }
  local -a offers; builtin compadd -A offers "$@"; print -rl -- "<"$^offers">"
}
finish() { print "<>" }
comppostfuncs=(finish)
bindkey "^I" complete-word
`;
/** Types a line and Tab on a terminal of zsh itself. */
const TYPE_TAB = String.raw`zmodload zsh/zpty
zpty shell zsh -fi
zpty -w shell "source $1; source $2"
zpty -w -n shell "$3"$'\t'
zpty -r shell shown $'*<>*'
print -r -- $shown`;

async function offersOf(line: string): Promise<string[]> {
  const show = join(emptyFolder(), 'show-offers.zsh');
  writeFileSync(show, SHOW_OFFERS);
  const shown = await lines('zsh', ['-fc', TYPE_TAB, 'zsh', await saved('zsh'), show, line]);
  return [...shown.join('\n').matchAll(/<([^<>]+)>/g)].map(([, word = '']) => word);
}

describeWith('zsh')('zsh', () => {
  test.each([...COMPLETED, [['hookproof', 'serve', '--clock=r'], ['real']] as const])(
    'completes %j',
    async (words, expected) => {
      const found = await offersOf(words.join(' '));
      expect(found.toSorted()).toEqual(expected.toSorted());
    },
  );

  test.each(['--fixtures ', '--fixtures=', '--report html='])(
    'completes files after %s',
    async (option) => {
      const file = await saved('zsh');
      const found = await offersOf(`hookproof check ${option}${file.slice(0, -2)}`);
      expect(found).toEqual([basename(file)]);
    },
  );
});
