import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { emptyFolder, hookproof, serve } from './hookproof.ts';
import type { Serving } from './hookproof.ts';

function target(server: Serving): string[] {
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
  test('is conformant by default, exit code 0, quiet in a pipe', async () => {
    const server = await serve();
    const { code, stdout, stderr } = await hookproof(['check', ...target(server)]);
    expect(stdout).toMatch(/conformant/i);
    expect(stdout).toContain('--allow-writes');
    expect(stdout).not.toContain('\u001B');
    expect(stdout).not.toContain(server.keys.wildcard);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test('is conformant with every check unlocked, API and sender', async () => {
    const server = await serve();
    const folder = emptyFolder();
    const [html, json] = [join(folder, 'report.html'), join(folder, 'report.json')];
    const { code, stdout } = await hookproof([
      'check',
      ...target(server),
      '--sender',
      '--allow-writes',
      '--allow-deletes',
      '--json',
      '--report',
      `html=${html}`,
      '--report',
      `json=${json}`,
    ]);
    const report = JSON.parse(stdout);
    const others = report.checks
      .filter((check: { verdict: string }) => check.verdict !== 'pass')
      .map(({ id, verdict }: { id: string; verdict: string }) => [id, verdict]);
    // This server redirects nothing, its clock is real, and after what time a sender gives up is not stated.
    expect(others).toEqual(
      [
        'api.file-content.redirect',
        'api.file.run-input-expires',
        'api.file.builder-attachment-expires',
        'api.file.temporary-lives',
        'api.file.durable',
        'api.file-content.short-lived',
        'api.status-code.size-cap',
        'sender.retry.on-timeout',
      ].map((id) => [id, 'not-applicable']),
    );
    expect(report.outcome).toBe('conformant');
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(json, 'utf8'))).toEqual(report);
    expect(readFileSync(html, 'utf8')).toMatch(/^<!doctype html>/i);
  });

  test('runs the named checks alone', async () => {
    const server = await serve();
    const args = ['check', ...target(server), '--only', 'api.auth-check', '--json'];
    const { code, stdout } = await hookproof(args);
    const ids: string[] = JSON.parse(stdout).checks.map((check: { id: string }) => check.id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => !id.startsWith('api.auth-check'))).toEqual([]);
    expect(code).toBe(0);
  });

  test('is incomplete, exit code 3, when keys are missing, and says what to add', async () => {
    const server = await serve();
    const args = ['--base-url', server.baseUrl, '--key', server.keys.wildcard];
    const { code, stdout } = await hookproof(['check', ...args]);
    expect(stdout).toContain('--fixtures');
    expect(code).toBe(3);
  });

  test('takes keys and ids from --fixtures', async () => {
    const server = await serve();
    const fixtures = join(emptyFolder(), 'fixtures.json');
    // The suite asks nothing of a revoked key: the contract does not say what becomes of one.
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

describe('hookproof check', () => {
  test('exits with 4 when nothing listens', async () => {
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

  test('exits with 2 for a check id that does not exist', async () => {
    const server = await serve();
    const args = ['check', ...target(server), '--only', 'api.nonsense'];
    const { code, stderr } = await hookproof(args);
    expect(stderr).toContain('api.nonsense');
    expect(code).toBe(2);
  });
});
