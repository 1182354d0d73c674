import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import type { TargetsReport } from '@hookproof/conformance';

import { sarifFaults, xmlFaults } from '../conformance/report/format-schemas.ts';
import { BROKEN_CHECK, SOUND_CHECK, startBrokenProxy } from './broken-proxy.ts';
import type { BrokenProxy } from './broken-proxy.ts';
import { emptyFolder, hookproofProcess, startServer, SUITE_RUN } from './hookproof.ts';
import type { Finished, Serving } from './hookproof.ts';

let server: Serving;
let proxy: BrokenProxy;
beforeAll(async () => {
  server = await startServer([], { cwd: tmpdir() });
  proxy = await startBrokenProxy(server.baseUrl);
});
afterAll(async () => {
  await proxy.stop();
  await server.stop();
});

const ONLY = [BROKEN_CHECK, SOUND_CHECK];

function folderWith(file: unknown): string {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'targets.yaml'), typeof file === 'string' ? file : JSON.stringify(file));
  return cwd;
}

function check(cwd: string, args: string[] = [], env = {}): Promise<Finished> {
  return hookproofProcess(['check', '--targets', 'targets.yaml', ...args], {
    cwd,
    env: { KEY_A: server.keys.wildcard, ...env },
  });
}

/** A target that accepts connections and never responds. */
async function startSilentTarget(): Promise<string> {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    silent.close();
  });
  return `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
}

describe('hookproof check --targets', () => {
  test('judges each target; the worst decides the exit code', SUITE_RUN, async () => {
    const cwd = folderWith({
      defaults: { key: '${KEY_A}', only: ONLY },
      targets: [
        { name: 'good', baseUrl: server.baseUrl },
        { name: 'broken', baseUrl: proxy.baseUrl },
        { name: 'closed', baseUrl: 'http://127.0.0.1:9' },
      ],
    });
    const files = {
      json: 'all.json',
      junit: 'junit.xml',
      sarif: 'all.sarif',
      html: 'all.html',
      markdown: 'all.md',
      badge: 'badge.svg',
    };
    const reports = Object.entries(files).flatMap(([kind, file]) => [
      '--report',
      `${kind}=${file}`,
    ]);
    const { code, stdout, stderr } = await check(cwd, reports);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/ {2}good {4}exit 0 {2}conformant/);
    expect(stdout).toMatch(/ {2}broken {2}exit 1 {2}violated: 1 check failed/);
    expect(stdout).toMatch(/ {2}closed {2}exit 4 {2}unreachable/);
    expect(stdout).toContain('1 of 3 targets are conformant');
    expect(stdout).not.toContain(server.keys.wildcard);
    expect(code).toBe(1);
    const read = (file: string): string => readFileSync(join(cwd, file), 'utf8');
    const all: TargetsReport = JSON.parse(read(files.json));
    expect(schemaFaults(all)).toEqual([]);
    expect(all.targets.map(({ name, exitCode }) => [name, exitCode])).toEqual([
      ['good', 0],
      ['broken', 1],
      ['closed', 4],
    ]);
    expect(await xmlFaults({ 'a.xml': read(files.junit) }, 'junit')).toEqual([]);
    expect(sarifFaults(read(files.sarif))).toEqual([]);
    expect(JSON.parse(read(files.sarif)).runs).toHaveLength(3);
    expect(read(files.html)).toContain('<a href="all.broken.html">broken</a>');
    expect(read('all.broken.html')).toContain(BROKEN_CHECK);
    expect(read(files.markdown)).toContain('1 of 3 targets are conformant');
  });

  test('a crash and a hang of one target are its own results', SUITE_RUN, async () => {
    const silent = await startSilentTarget();
    const crash = join(emptyFolder(), 'crash.cjs');
    writeFileSync(
      crash,
      `const { workerData } = require('node:worker_threads');
       if (workerData?.baseUrl === 'http://127.0.0.1:8') setImmediate(() => { throw new Error('broken thread'); });`,
    );
    const cwd = folderWith({
      defaults: { key: '${KEY_A}', only: ONLY },
      targets: [
        { name: 'silent', baseUrl: silent },
        { name: 'crashing', baseUrl: 'http://127.0.0.1:8' },
        { name: 'wrong', baseUrl: server.baseUrl, only: 'api.none' },
        { name: 'good', baseUrl: server.baseUrl },
      ],
    });
    const options = ['--workers', '2', '--target-timeout', '20', '--json'];
    const run = await check(
      cwd,
      [...options, '--report', 'junit=a.xml', '--report', 'sarif=a.sarif'],
      {
        NODE_OPTIONS: `--require ${crash}`,
      },
    );
    const all: TargetsReport = JSON.parse(run.stdout);
    expect(schemaFaults(all)).toEqual([]);
    expect(
      all.targets.map(({ name, status, exitCode, message }) => [
        `${name} ${status} ${exitCode}`,
        message,
      ]),
    ).toEqual([
      [expect.stringMatching(/^silent (timed-out 3|finished 4)$/), expect.any(String)],
      ['crashing crashed 5', 'The run of this target crashed. broken thread'],
      ['wrong wrong-options 2', 'only: no check has the id or id prefix "api.none".'],
      ['good finished 0', expect.stringMatching(/^conformant/)],
    ]);
    expect(run.code).toBe(5);
    const read = (file: string): string => readFileSync(join(cwd, file), 'utf8');
    expect(await xmlFaults({ 'a.xml': read('a.xml') }, 'junit')).toEqual([]);
    expect(sarifFaults(read('a.sarif'))).toEqual([]);
  });

  test('ends the run of a target after --target-timeout', async () => {
    const silent = await startSilentTarget();
    const cwd = folderWith({ targets: [{ name: 'silent', baseUrl: silent, key: '${KEY_A}' }] });
    const { code, stdout } = await check(cwd, ['--target-timeout', '1']);
    expect(stdout).toContain('The run of this target did not end within 1 s.');
    expect(code).toBe(3);
  });

  test('accepts the known failures of a target', async () => {
    const cwd = folderWith({
      targets: [
        { name: 'a', baseUrl: proxy.baseUrl, key: '${KEY_A}', only: ONLY, baseline: 'known.json' },
      ],
    });
    const line = { check: BROKEN_CHECK, reason: 'r', owner: 'o', expires: '2999-01-01' };
    writeFileSync(join(cwd, 'known.json'), JSON.stringify({ failures: [line] }));
    const { code, stdout } = await check(cwd);
    expect(stdout).toContain('conformant: 1 known failure');
    expect(code).toBe(0);
  });
});

const URL_A = 'http://127.0.0.1:9';

describe('a file of targets ends with 2', () => {
  test.each([
    ['a: [', 'must be a readable YAML file'],
    [{ targets: [] }, 'targets must be a list of 1 to 1000 targets.'],
    [{ target: [] }, 'unknown target; expected defaults or targets.'],
    [{ targets: [{ baseUrl: URL_A }] }, 'targets[0].name must have 1 to 64 letters'],
    [{ targets: [{ name: '../x', baseUrl: URL_A }] }, 'targets[0].name must have'],
    [
      { targets: [{ name: 'a', baseUrl: URL_A }, { name: 'a' }] },
      'targets[1].name must be unique, got "a" again.',
    ],
    [{ targets: [{ name: 'a' }] }, 'a: The command needs --base-url or --receiver, got neither.'],
    [{ targets: [{ name: 'a', baseUrl: 'x' }] }, 'a.baseUrl "x" is invalid. Expected a URL'],
    [{ targets: [{ name: 'a', nonsense: 1 }] }, 'unknown option "nonsense" in a;'],
    [
      { targets: [{ name: 'a', baseUrl: URL_A, key: 'literal-key-1' }] },
      'a.key must be a variable such as ${HOOKPROOF_KEY_EU}, so that the file contains no secret.',
    ],
    [
      { targets: [{ name: 'a', baseUrl: URL_A, key: '${NOT_SET}' }] },
      'a.key needs the variable NOT_SET, which is not set.',
    ],
  ])('%j', async (file, message) => {
    const { code, stdout, stderr } = await check(folderWith(file));
    expect(stderr).toContain('error: --targets targets.yaml');
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('together with --base-url', async () => {
    const { code, stderr } = await check(folderWith({}), ['--base-url', URL_A]);
    expect(stderr).toMatch(/^error: --targets cannot be used with --base-url, got both\. /);
    expect(code).toBe(2);
  });
});

function schemaFaults(value: unknown): string[] {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  ajv.addSchema(schema('report.schema.json'));
  const validate = ajv.compile(schema('targets.schema.json'));
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function schema(name: string): object {
  return JSON.parse(readFileSync(new URL(`../../conformance/${name}`, import.meta.url), 'utf8'));
}
