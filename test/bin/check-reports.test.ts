import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { xmlFaults } from '../conformance/report/format-schemas.ts';
import { emptyFolder } from '../empty-folder.ts';
import { hookproof, runInProcess, startServer } from './hookproof.ts';
import type { Serving } from './hookproof.ts';

let server: Serving;
beforeAll(async () => {
  server = await startServer([], { cwd: tmpdir() });
});
afterAll(() => server.stop());

function checkArgs(...more: string[]): string[] {
  const { baseUrl, keys } = server;
  const only = ['--only', 'api.response.auth-check'];
  return ['check', '--base-url', baseUrl, '--key', keys.wildcard, ...only, ...more];
}

const FILES = {
  html: 'report.html',
  json: 'report.json',
  junit: 'junit.xml',
  markdown: 'report.md',
};

test('hookproof check writes every kind of report', async () => {
  const cwd = emptyFolder();
  const reports = Object.entries(FILES).flatMap(([kind, file]) => ['--report', `${kind}=${file}`]);
  const { stderr } = await hookproof(checkArgs(...reports), { cwd });
  const written = Object.entries(FILES).map(
    ([kind, file]) => `${file} is written (${kind} report).`,
  );
  expect(stderr).toBe(`${written.join('\n')}\n`);
  const read = (file: string): string => readFileSync(join(cwd, file), 'utf8');
  expect(await xmlFaults({ 'a.xml': read(FILES.junit) }, 'junit')).toEqual([]);
  expect(read(FILES.markdown)).toMatch(/^## Hookproof: conformant/);
});

describe('a report that cannot be written', () => {
  test.runIf(process.getuid?.() !== 0)('in a read-only folder ends with 2', async () => {
    const cwd = emptyFolder();
    chmodSync(cwd, 0o500);
    const file = join(cwd, 'a.html');
    const { code, stderr } = await runInProcess(checkArgs('--report', `html=${file}`));
    expect(stderr).toContain('must name a file that this user can write');
    expect(code).toBe(2);
  });

  test('on a full device ends with 2, after the report on standard output and the other files', async () => {
    const cwd = emptyFolder();
    const { code, stdout, stderr } = await hookproof(
      checkArgs('--report', 'html=/dev/full', '--report', 'json=report.json'),
      { cwd },
    );
    expect(stdout).toContain('conformant');
    expect(stderr).toMatch(
      /^report\.json is written \(json report\)\.\nerror: --report html=\/dev\/full must name a place .*ENOSPC.* Use another\.\n$/,
    );
    expect(JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'))).toHaveProperty('outcome');
    expect(code).toBe(2);
  });
});

describe('in GitHub Actions', () => {
  test('the report is a summary of the step, and its lines are no commands', async () => {
    const cwd = emptyFolder();
    const summary = join(cwd, 'summary.md');
    writeFileSync(summary, 'before\n');
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const { code, stdout } = await hookproof(checkArgs(), { cwd, env });
    expect(readFileSync(summary, 'utf8')).toMatch(/^before\n## Hookproof: conformant/);
    expect(stdout).toMatch(/^::stop-commands::([0-9a-f-]{36})\n.*conformant.*\n::\1::\n$/s);
    expect(code).toBe(0);
  });

  test('a red is an annotation', async () => {
    const target = ['--base-url', 'http://127.0.0.1:9', '--key', 'not-a-real-key'];
    const env = { GITHUB_ACTIONS: 'true' };
    const { code, stdout } = await hookproof(['check', ...target], { env });
    expect(stdout).toMatch(
      /::error title=Hookproof%3A API http%3A\/\/127\.0\.0\.1%3A9::unreachable: no usable response from .*\n$/,
    );
    expect(code).toBe(4);
  });

  test('standard output is JSON alone with --json', async () => {
    const env = { GITHUB_ACTIONS: 'true' };
    const { stdout } = await hookproof(checkArgs('--json'), { env });
    expect(JSON.parse(stdout)).toHaveProperty('outcome');
  });
});
