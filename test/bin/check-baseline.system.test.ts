import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Baseline } from '@hookproof/conformance';

import { emptyFolder } from '../empty-folder.ts';
import { hookproof, startServer } from './hookproof.ts';
import type { Finished, Serving } from './hookproof.ts';

const BROKEN_CHECK = 'api.key-required.inbox';
const SOUND_CHECK = 'api.response.auth-check';

let server: Serving;
beforeAll(async () => {
  server = await startServer(['--defect', 'missing-key-admitted'], { cwd: tmpdir() });
});
afterAll(() => server.stop());

function check(cwd: string, ...more: string[]): Promise<Finished> {
  const target = ['--base-url', server.baseUrl, '--key', server.keys.wildcard];
  const only = ['--only', `${BROKEN_CHECK},${SOUND_CHECK}`];
  return hookproof(['check', ...target, ...only, ...more], { cwd });
}

const LINE = { check: BROKEN_CHECK, reason: 'in review', owner: 'team-a', expires: '2999-01-01' };

function write(cwd: string, failures: object[]): void {
  writeFileSync(join(cwd, 'known.json'), JSON.stringify({ failures }));
}

test('hookproof check --baseline ends with 0 when every failure is known', async () => {
  const cwd = emptyFolder();
  expect((await check(cwd)).code).toBe(1);
  write(cwd, [LINE]);
  const { code, stdout, stderr } = await check(cwd, '--baseline', 'known.json');
  expect(stderr).toBe('');
  expect(stdout).toContain(`${BROKEN_CHECK}: in review (team-a, until 2999-01-01)`);
  expect(stdout).toContain('conformant: 1 known failure');
  expect(code).toBe(0);
});

test('hookproof check --baseline ends with 1 for an expired line and for a stale one', async () => {
  const cwd = emptyFolder();
  write(cwd, [{ ...LINE, expires: '2020-01-01' }]);
  const expired = await check(cwd, '--baseline', 'known.json');
  expect(expired.stdout).toContain(`${BROKEN_CHECK} was accepted until 2020-01-01.`);
  expect(expired.code).toBe(1);
  write(cwd, [LINE, { ...LINE, check: SOUND_CHECK }]);
  const stale = await check(cwd, '--baseline', 'known.json');
  expect(stale.stdout).toContain(`${SOUND_CHECK} passes now. Remove its line`);
  expect(stale.stdout).toMatch(/outdated baseline: .* exit 1/);
  expect(stale.code).toBe(1);
});

const UPDATE = ['--baseline', 'known.json', '--update-baseline', 'team-a: old gateway'];

test('--update-baseline writes the failures with reason and owner, and the next run accepts them', async () => {
  const cwd = emptyFolder();
  expect((await check(cwd, ...UPDATE)).code).toBe(0);
  const written: Baseline = JSON.parse(readFileSync(join(cwd, 'known.json'), 'utf8'));
  expect(written.failures).toMatchObject([
    { check: BROKEN_CHECK, reason: 'old gateway', owner: 'team-a' },
  ]);
  expect((await check(cwd, '--baseline', 'known.json')).code).toBe(0);
  write(cwd, [LINE]);
  expect((await check(cwd, ...UPDATE)).code).toBe(0);
  const kept: Baseline = JSON.parse(readFileSync(join(cwd, 'known.json'), 'utf8'));
  expect(kept.failures).toEqual([LINE]);
});
