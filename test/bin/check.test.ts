import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { hookproof, startServer } from './hookproof.ts';
import type { Serving } from './hookproof.ts';

let server: Serving;
beforeAll(async () => {
  server = await startServer([], { cwd: tmpdir() });
});
afterAll(() => server.stop());

test('hookproof check takes a variable that is set to nothing as not set', async () => {
  const names = ['RECEIVER', 'BASE_URL', 'APP_URL', 'CONTROL_URL', 'LISTEN', 'PUBLIC_URL'];
  const empty = names.map((name) => [`HOOKPROOF_${name}`, ''] as const);
  const only = ['--only', 'api.auth-check.identity'];
  const args = ['check', '--base-url', server.baseUrl, '--key', server.keys.wildcard, ...only];
  const { code, stderr } = await hookproof(args, {
    env: { ...Object.fromEntries(empty), WEBHOOK_SECRET: '' },
  });
  expect(stderr).toBe('');
  // The key of another tenant is missing.
  expect(code).toBe(3);
});
