import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

import { hookproof } from './hookproof.ts';

/** The folder of every call: `folder` has something in it. */
const FILES = {
  'list.json': '[]',
  'empty.json': '{}',
  'cut.json': '{',
  'run.json': '{"run": {"id": "exec_1", "status": "pending"}}',
  'object.json': '{"a": 1}',
  'review.json': '{"openReviewID": "x"}',
  'package.json': '{"dependencies": {"express": "5", "next": "16"}}',
  'folder/mine.txt': 'mine',
};

const TABLE = readFileSync(new URL('usage.txt', import.meta.url), 'utf8');
/**
 * What is typed, the exit code, and the first line on standard error. What the operating system says is `…`. No server
 * runs.
 */
const CALLS = [...TABLE.matchAll(/^\$ (.*) ?hookproof (.*)\n(\d) {2}(.*)$/gm)].map(
  ([, variables = '', typed = '', code, line = '']) =>
    [`${variables}${typed}`, { variables, typed, code: Number(code), line }] as const,
);

const cwd = mkdtempSync(join(tmpdir(), 'hookproof-usage-'));
mkdirSync(join(cwd, 'folder'));
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text);
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

test('every line of the table is read', () => {
  expect(CALLS).toHaveLength(TABLE.trimEnd().split('\n').length / 2);
});

test.each(CALLS)('%s', async (_, { variables, typed, code, line }) => {
  const given = variables.split(' ').filter((variable) => variable !== '');
  const env = Object.fromEntries(given.map((variable) => variable.split('=')));
  const { stdout, stderr, ...ended } = await hookproof(typed.split(' '), { cwd, env });
  const [shown = ''] = stderr.split('\n');
  const isPart = line.endsWith('…');
  expect(isPart ? `${shown.slice(0, line.length - 1)}…` : shown).toBe(line);
  expect({ ...ended, stdout }).toEqual({ code, stdout: '' });
  expect(stderr).not.toMatch(/\n\s+at /);
});
