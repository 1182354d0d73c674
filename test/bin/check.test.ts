import { tmpdir } from 'node:os';
import type { Report } from '@hookproof/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { hookproof, startServer } from './hookproof.ts';
import type { Serving } from './hookproof.ts';

let server: Serving;
beforeAll(async () => {
  server = await startServer([], { cwd: tmpdir() });
});
afterAll(() => server.stop());

/** The options that name the server and its control interface. */
function target(): string[] {
  return [
    '--base-url',
    server.baseUrl,
    '--app-url',
    server.appUrl,
    '--key',
    server.keys.wildcard,
    '--control-url',
    server.controlUrl,
    '--control-token',
    server.controlToken,
  ];
}

describe('hookproof check against hookproof serve', () => {
  test('runs only the named checks', async () => {
    const args = ['check', ...target(), '--only', 'api.auth-check', '--json'];
    const { code, stdout } = await hookproof(args);
    const report: Report = JSON.parse(stdout);
    const ids = report.checks.map((check) => check.id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => !id.startsWith('api.auth-check'))).toEqual([]);
    expect(code).toBe(0);
  });
});

describe('hookproof check', () => {
  test('exits with 4 if nothing listens', async () => {
    const { code, stderr, stdout } = await hookproof([
      'check',
      '--base-url',
      'http://127.0.0.1:9',
      '--key',
      'not-a-real-key',
    ]);
    expect(code).toBe(4);
    expect(stderr + stdout).toContain('http://127.0.0.1:9');
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('takes a variable that is set to nothing as not set', async () => {
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
});
