import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { hookproof, hookproofProcess, optionsOf, startServer } from './hookproof.ts';
import type { Serving } from './hookproof.ts';

let server: Serving;
beforeAll(async () => {
  server = await startServer([], { cwd: tmpdir() });
});
afterAll(() => server.stop());

describe('hookproof check without further access', () => {
  test('is conformant with exit code 0, and prints no progress to a pipe', async () => {
    const { code, stdout, stderr } = await hookproofProcess([
      'check',
      ...optionsOf(server),
      '--key',
      server.keys.wildcard,
    ]);
    expect(stdout).toMatch(/conformant/i);
    expect(stdout).toContain('--allow-writes');
    expect(stdout).not.toContain('\u001B');
    expect(stdout).not.toContain(server.keys.wildcard);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test('is incomplete with exit code 3 if keys are missing, and prints what to add', async () => {
    const args = ['--base-url', server.baseUrl, '--key', server.keys.wildcard];
    const { code, stdout } = await hookproof(['check', ...args]);
    expect(stdout).toContain('--fixtures');
    expect(code).toBe(3);
  });

  test('reads keys and ids from --fixtures', async () => {
    const fixtures = join(emptyFolder(), 'fixtures.json');
    // The suite does not use a revoked key: the contract leaves its effect open.
    const { wildcard: _, revoked: _revoked, ...keys } = server.keys;
    const ids: unknown = server.ready['fixtures'];
    writeFileSync(fixtures, JSON.stringify({ keys, ...(ids as object) }));
    const args = ['--base-url', server.baseUrl, '--app-url', server.appUrl];
    const { code, stdout } = await hookproof(['check', ...args, '--fixtures', fixtures, '--json'], {
      env: { HOOKPROOF_KEY: server.keys.wildcard },
    });
    expect(JSON.parse(stdout).outcome).toBe('conformant');
    expect(code).toBe(0);
  });
});
