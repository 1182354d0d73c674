import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checks } from '@hookproof/conformance';
import type { Explanation, ListedCheck, Report } from '@hookproof/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { hookproof, startServer } from '../hookproof.ts';
import type { Serving } from '../hookproof.ts';

let server: Serving;
beforeAll(async () => {
  server = await startServer([], { cwd: tmpdir() });
});
afterAll(() => server.stop());

function target(): string[] {
  return ['--base-url', server.baseUrl, '--app-url', server.appUrl, '--key', server.keys.wildcard];
}

describe('hookproof check --init-fixtures', () => {
  test('writes what was found and what is missing, for --fixtures', async () => {
    const file = join(emptyFolder(), 'fixtures.yaml');
    const first = await hookproof(['check', ...target(), '--json', '--init-fixtures', file]);
    const before: Report = JSON.parse(first.stdout);
    const text = readFileSync(file, 'utf8');
    const template = before.facts.find(({ name }) => name === 'templateId')?.value ?? '';
    expect(text).toContain(
      `# ID of a template. Found in GET /v1/templates.\ntemplateId: "${template}"`,
    );
    expect(text).toMatch(/# Key with the scope `ocr:full`\. Unlocks \d+ checks, such as api\./);
    expect(text).not.toContain(server.keys.wildcard);

    const ids: Record<string, string> = Object(server.ready['fixtures']);
    const { reviewer, ocr, workflow, otherTenant } = server.keys;
    const keys: Record<string, string> = { reviewer, ocr, workflow, otherTenant };
    const filled = text.replace(/^( *)# (\w+): ""$/gm, (line, indent: string, name: string) => {
      const value = indent === '' ? ids[name] : keys[name];
      return value === undefined ? line : `${indent}${name}: "${value}"`;
    });
    writeFileSync(file, filled);
    const second = await hookproof(['check', ...target(), '--json', '--fixtures', file]);
    const after: Report = JSON.parse(second.stdout);
    expect(before.counts['could-not-run']).toBeGreaterThan(0);
    expect([after.outcome, after.counts['could-not-run']]).toEqual(['conformant', 0]);
  });

  test('overwrites no file', async () => {
    const file = join(emptyFolder(), 'fixtures.yaml');
    writeFileSync(file, 'mine');
    const { code, stderr } = await hookproof(['check', ...target(), '--init-fixtures', file]);
    expect(stderr).toContain(`--init-fixtures ${file} must not exist yet.`);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(code).toBe(2);
  });
});

test('an app URL that leads elsewhere is one sentence and no failure', async () => {
  const api = ['--base-url', server.baseUrl, '--key', server.keys.wildcard];
  const app = ['--app-url', `${server.appUrl}/elsewhere`];
  const { stdout } = await hookproof(['check', ...api, ...app, '--json', '--only', 'api.agent']);
  const { checks: found }: Report = JSON.parse(stdout);
  const first = `GET ${server.appUrl}/elsewhere/api/v1/agents: expected a list, got 404 with application/json`;
  expect(found.length).toBeGreaterThan(0);
  expect(found.map(({ verdict }) => verdict)).toEqual(found.map(() => 'could-not-run'));
  expect(found[0]?.message.startsWith(first)).toBe(true);
});

async function list(...args: readonly string[]): Promise<readonly ListedCheck[]> {
  const { stdout, code } = await hookproof(['check', '--list', '--json', ...args]);
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

describe('hookproof check --list', () => {
  test('lists all checks without a target', async () => {
    const listed = await list();
    expect(listed.map(({ id }) => id)).toEqual(checks.map(({ id }) => id));
    expect(new Set(listed.map(({ state }) => state))).toEqual(new Set(['not-selected']));
  });

  test('says what a run with these options would do, and sends nothing', async () => {
    const options = ['--base-url', 'http://127.0.0.1:9', '--key', 'a-key-of-mine'];
    const listed = await list(...options);
    const states = new Set(listed.map(({ state }) => state));
    expect(states).toEqual(
      new Set(['runs', 'could-not-run', 'locked', 'not-applicable', 'not-selected']),
    );
    const lacking = listed.find(({ needs }) => needs.includes('key.ocr'));
    expect(lacking?.add).toContain(
      '--fixtures FILE with { "keys": { "ocr": "<key with scope ocr:full>" } }, or HOOKPROOF_KEY_OCR',
    );
  });

  test('agrees with the run that follows', async () => {
    const listed = await list(...target());
    const { stdout } = await hookproof(['check', ...target(), '--json']);
    const report: Report = JSON.parse(stdout);
    const open = report.checks.filter(({ verdict }) => verdict === 'could-not-run');
    const missing = listed.filter(({ state }) => state === 'could-not-run');
    expect(missing.map(({ id }) => id)).toEqual(open.map(({ id }) => id));
  });
});

describe('hookproof check --list ID', () => {
  test('explains a requirement with its checks and the points that are left open', async () => {
    const { stdout } = await hookproof(['check', '--list', 'inbox.limit.range', '--json']);
    const [explanation]: Explanation[] = JSON.parse(stdout);
    expect(explanation?.requirement.id).toBe('inbox.limit.range');
    expect(explanation?.checks.length).toBeGreaterThan(0);
    expect(explanation?.freedoms.length).toBeGreaterThan(0);
  });

  test('explains a check by its requirements', async () => {
    const { stdout, code } = await hookproof(['check', '--list', 'sender.end.on-4xx']);
    expect(stdout).toContain('delivery.end.other-4xx');
    expect(stdout).toContain('--only sender.end.on-4xx');
    expect(code).toBe(0);
  });

  test('says each thing once', async () => {
    const { stdout } = await hookproof(['check', '--list', 'api.envelope.review-update']);
    const lines = stdout.split('\n').filter((line) => line !== '');
    expect(lines.length).toBeGreaterThan(10);
    expect(new Set(lines).size).toBe(lines.length);
  });
});
