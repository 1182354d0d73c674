import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report, TargetsReport } from '@hookproof/conformance';
import { describe, expect, test } from 'vitest';

import { emptyFolder, hookproofProcess, serve, SUITE_RUN } from '../hookproof.ts';
import type { Serving } from '../hookproof.ts';
import { changesIn, standBefore, start, targetArgs, UNCHANGED } from './deployment.ts';
import type { Moment } from './deployment.ts';

/** `KILL_SEED=… npm run test:long` repeats the moments of a failed run. */
const SEED = process.env['KILL_SEED'] ?? String(Date.now() % 1_000_000);

const MOMENTS: Readonly<Record<string, Moment>> = {
  'limits are changed': (request) => request === 'PATCH /limits',
  'a fault is injected': (request) => request === 'POST /api-faults',
  'an endpoint is registered': (request) => request === 'POST /webhook-endpoints',
  'the first world is created': (request) => request === 'POST /worlds',
  ...Object.fromEntries(
    drawn(3).map((place) => [
      `control request ${place} is made (seed ${SEED})`,
      (_request: string, count: number) => count === place,
    ]),
  ),
};

/** Different numbers from 8 to 40, the same for a seed. The requests before only read. */
function drawn(count: number): readonly number[] {
  const digest = createHash('sha512').update(SEED).digest();
  return [...new Set([...digest].map((byte) => 8 + (byte % 33)))].slice(0, count);
}

/** The checks that make these requests; a run of all would reach them late. */
const ONLY = ['--only', 'api.status-code,sender.end,sender.header'];

describe.each(Object.entries(MOMENTS))('when %s', (_name, moment) => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s puts everything back, writes the reports and exits with 130',
    SUITE_RUN,
    async (signal) => {
      const server = await serve(['--clock', 'virtual']);
      const proxy = await standBefore(server, moment);
      const folder = emptyFolder();
      const file = join(folder, 'report.json');
      const run = start([
        'check',
        ...targetArgs(server, proxy.url, join(folder, 'journal')),
        ...ONLY,
        '--report',
        `json=${file}`,
      ]);
      await proxy.reached;
      run.signal(signal);
      const { code, stdout, stderr } = await run.finished;
      expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
      expect(stdout).toContain('interrupted');
      const report: Report = JSON.parse(readFileSync(file, 'utf8'));
      expect(report).toMatchObject({ outcome: 'interrupted', exitCode: 130, leftBehind: [] });
      expect(await changesIn(server)).toEqual(UNCHANGED);
      expect(readdirSync(join(folder, 'journal'))).toEqual([]);
    },
  );

  test(
    'SIGKILL leaves a journal, from which --clean-up puts everything back',
    SUITE_RUN,
    async () => {
      const server = await serve(['--clock', 'virtual']);
      const journal = join(emptyFolder(), 'journal');
      const proxy = await standBefore(server, moment);
      const args = ['check', ...targetArgs(server, proxy.url, journal), ...ONLY];
      const run = start(args);
      await proxy.reached;
      run.signal('SIGKILL');
      await run.finished;
      const [file = ''] = readdirSync(journal);
      expect(statSync(join(journal, file)).mode & 0o777).toBe(0o600);
      const written = readFileSync(join(journal, file), 'utf8');
      expect(written).not.toContain(server.controlToken);
      expect(written).not.toContain('hpk_');

      const cleaned = await hookproofProcess([...args, '--clean-up']);
      expect(cleaned).toMatchObject({ code: 0, stderr: '' });
      expect(cleaned.stdout).toMatch(/^Undone: (\d+) of \1 changes of killed runs\.\n$/);
      expect(await changesIn(server)).toEqual(UNCHANGED);
      expect(readdirSync(journal)).toEqual([]);
      const again = await hookproofProcess([...args, '--clean-up']);
      expect(again).toMatchObject({ code: 0, stdout: 'Nothing to undo.\n' });
    },
  );
});

/** A request in the second run, of which each asks for the clock first. */
function inSecondRun(wanted: string): Moment {
  let runs = 0;
  return (request) => {
    if (request === 'GET /clock') runs += 1;
    return runs > 1 && request === wanted;
  };
}

const LIMITS = ['--only', 'api.status-code'];
/** Checks that defects turn red, after those of the limits. */
const PROVEN = ['--only', 'api.status-code,sender.end'];

test.each([
  ['the target itself', MOMENTS['limits are changed'], /interrupted: \d+ passes are undecided/],
  [
    'a defect',
    inSecondRun('POST /webhook-endpoints'),
    /interrupted: \d+ pass(es are| is) undecided/,
  ],
] as const)(
  'hookproof prove, interrupted while it judges %s, puts everything back and prints what it found',
  SUITE_RUN,
  async (_name, moment, sentence) => {
    const server = await serve(['--clock', 'virtual']);
    const proxy = await standBefore(server, moment ?? (() => false));
    const journal = join(emptyFolder(), 'journal');
    const run = start(['prove', ...targetArgs(server, proxy.url, journal), ...PROVEN]);
    await proxy.reached;
    run.signal('SIGINT');
    const { code, stdout, stderr } = await run.finished;
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    expect(stdout).toMatch(sentence);
    expect(stdout).not.toContain('not put back');
    expect(await changesIn(server)).toEqual(UNCHANGED);
    expect(readdirSync(journal)).toEqual([]);
  },
);

test('hookproof prove --clean-up puts back what a killed proof changed', SUITE_RUN, async () => {
  const server = await serve(['--clock', 'virtual']);
  const proxy = await standBefore(server, inSecondRun('POST /webhook-endpoints'));
  const journal = join(emptyFolder(), 'journal');
  const args = ['prove', ...targetArgs(server, proxy.url, journal), ...PROVEN];
  const run = start(args);
  await proxy.reached;
  run.signal('SIGKILL');
  await run.finished;
  expect(await changesIn(server)).not.toEqual(UNCHANGED);
  const { code, stdout } = await hookproofProcess([...args, '--clean-up']);
  expect(stdout).toMatch(/^Undone: (\d+) of \1 changes of killed runs\.\n$/);
  expect(code).toBe(0);
  expect(await changesIn(server)).toEqual(UNCHANGED);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'hookproof check --watch, in a later run, puts everything back after %s and writes the reports',
  SUITE_RUN,
  async (signal) => {
    const server = await serve(['--clock', 'virtual']);
    const proxy = await standBefore(server, inSecondRun('PATCH /limits'));
    const folder = emptyFolder();
    const file = join(folder, 'report.json');
    const run = start([
      'check',
      ...targetArgs(server, proxy.url, join(folder, 'journal')),
      ...LIMITS,
      '--watch',
      '--report',
      `json=${file}`,
    ]);
    await run.until('  exit ');
    run.pressEnter();
    await proxy.reached;
    run.signal(signal);
    const { code, stderr } = await run.finished;
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    const report: Report = JSON.parse(readFileSync(file, 'utf8'));
    expect(report).toMatchObject({ outcome: 'interrupted', leftBehind: [] });
    expect(await changesIn(server)).toEqual(UNCHANGED);
    expect(readdirSync(join(folder, 'journal'))).toEqual([]);
  },
);

interface Prepared {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly reached: Promise<void>;
  readonly server: Serving;
}

async function prepare(...more: string[]): Promise<Prepared> {
  const server = await serve(['--clock', 'virtual']);
  const proxy = await standBefore(server, (request) => request === 'PATCH /limits');
  const folder = emptyFolder();
  const file = join(folder, 'targets.yaml');
  const { baseUrl, appUrl, controlToken } = server;
  const target = { baseUrl, appUrl, controlUrl: proxy.url, controlToken: '${CONTROL_TOKEN}' };
  const rights = { allowWrites: true, allowDeletes: true, only: 'api.status-code' };
  const targets = [
    { name: 'first', ...target, ...rights },
    { name: 'second', baseUrl },
  ];
  writeFileSync(file, JSON.stringify({ targets }));
  const journal = join(folder, 'journal');
  const args = ['check', '--targets', file, '--workers', '1', '--journal', journal, ...more];
  const env = { CONTROL_TOKEN: controlToken };
  return { args, env, folder, reached: proxy.reached, server };
}

describe('hookproof check --targets', () => {
  test('puts everything back after SIGINT and writes the reports', SUITE_RUN, async () => {
    const { args, env, folder, reached, server } = await prepare();
    const file = join(folder, 'report.json');
    const run = start([...args, '--report', `json=${file}`], env);
    await reached;
    run.signal('SIGINT');
    const { code, stderr } = await run.finished;
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    const report: TargetsReport = JSON.parse(readFileSync(file, 'utf8'));
    expect(report).toMatchObject({
      exitCode: 130,
      targets: [
        { name: 'first', exitCode: 130, report: { outcome: 'interrupted', leftBehind: [] } },
        { name: 'second', exitCode: 130, status: 'not-started', report: null },
      ],
    });
    expect(await changesIn(server)).toEqual(UNCHANGED);
    expect(readdirSync(join(folder, 'journal'))).toEqual([]);
  });

  test('puts everything back when the time of a target is over', SUITE_RUN, async () => {
    const { args, env, folder, server } = await prepare('--target-timeout', '5');
    const { code, stdout } = await hookproofProcess(args, { env });
    expect(stdout).toContain('did not end within 5 s. Raise --target-timeout');
    expect(stdout).not.toContain('not put back');
    expect(code).toBe(3);
    expect(await changesIn(server)).toEqual(UNCHANGED);
    expect(readdirSync(join(folder, 'journal'))).toEqual([]);
  });

  test('--clean-up puts everything back after SIGKILL', SUITE_RUN, async () => {
    const { args, env, reached, server } = await prepare();
    const run = start(args, env);
    await reached;
    run.signal('SIGKILL');
    await run.finished;
    expect(await changesIn(server)).not.toEqual(UNCHANGED);
    const { code, stdout } = await hookproofProcess([...args, '--clean-up'], { env });
    expect(stdout).toMatch(
      /^first:\nUndone: (\d+) of \1 changes of killed runs\.\nsecond:\nNothing to undo\.\n$/,
    );
    expect(code).toBe(0);
    expect(await changesIn(server)).toEqual(UNCHANGED);
  });
});
