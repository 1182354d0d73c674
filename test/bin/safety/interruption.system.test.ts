import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '@hookproof/conformance';
import { describe, expect, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { hookproof, serve } from '../hookproof.ts';
import { changesIn, standBefore, start, targetArgs, UNCHANGED } from './deployment.ts';
import type { Moment } from './deployment.ts';

/** `KILL_SEED=… npm run test:system` repeats the moment of a failed run. */
const SEED = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000);
/** From 8 to 40. The requests before only read. */
const DRAWN = 8 + (SEED % 33);

const MOMENTS: Readonly<Record<string, Moment>> = {
  'limits are changed': (request) => request === 'PATCH /limits',
  'a fault is injected': (request) => request === 'POST /api-faults',
  'an endpoint is registered': (request) => request === 'POST /webhook-endpoints',
  'the first world is created': (request) => request === 'POST /worlds',
  [`control request ${DRAWN} is made (seed ${SEED})`]: (_request, count) => count === DRAWN,
};

/** The checks that make these requests; a run of all would reach them late. */
const ONLY = ['--only', 'api.status-code,sender.end,sender.header'];

/** Interrupts a run at a moment, and expects that nothing of it is left. */
async function interrupt(moment: Moment, signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  const server = await serve(['--clock', 'virtual']);
  const proxy = await standBefore(server, moment);
  const folder = emptyFolder();
  const file = join(folder, 'report.json');
  const run = start(
    ['check', ...targetArgs(server, proxy.url), ...ONLY, '--report', `json=${file}`],
    { HOOKPROOF_JOURNAL: join(folder, 'journal') },
  );
  await proxy.reached;
  run.signal(signal);
  const { code, stdout, stderr } = await run.finished;
  expect({ code, stderr }).toEqual({ code: 130, stderr: `${file} is written (json report).\n` });
  expect(stdout).toContain('interrupted');
  const report: Report = JSON.parse(readFileSync(file, 'utf8'));
  expect(report).toMatchObject({ outcome: 'interrupted', exitCode: 130, leftBehind: [] });
  expect(await changesIn(server)).toEqual(UNCHANGED);
  expect(readdirSync(join(folder, 'journal'))).toEqual([]);
}

describe.each(Object.entries(MOMENTS))('when %s', (_name, moment) => {
  test('SIGINT puts everything back, writes the reports and exits with 130', () =>
    interrupt(moment, 'SIGINT'));

  test('SIGKILL leaves a journal, from which --clean-up puts everything back', async () => {
    const server = await serve(['--clock', 'virtual']);
    const journal = join(emptyFolder(), 'journal');
    const proxy = await standBefore(server, moment);
    const args = ['check', ...targetArgs(server, proxy.url), ...ONLY];
    const run = start(args, { HOOKPROOF_JOURNAL: journal });
    await proxy.reached;
    run.signal('SIGKILL');
    await run.finished;
    const [file = ''] = readdirSync(journal);
    expect(statSync(join(journal, file)).mode & 0o777).toBe(0o600);
    const written = readFileSync(join(journal, file), 'utf8');
    expect(written).not.toContain(server.controlToken);
    expect(written).not.toContain('hpk_');
    const cleanUp = () =>
      hookproof([...args, '--clean-up'], { env: { HOOKPROOF_JOURNAL: journal } });
    const cleaned = await cleanUp();
    expect(cleaned).toMatchObject({ code: 0, stderr: '' });
    expect(cleaned.stdout).toMatch(/^Undone: (\d+) of \1 changes of killed runs\.\n$/);
    expect(await changesIn(server)).toEqual(UNCHANGED);
    expect(readdirSync(journal)).toEqual([]);
    expect(await cleanUp()).toMatchObject({ code: 0, stdout: 'Nothing to undo.\n' });
  });
});

test('SIGTERM is as SIGINT', () =>
  interrupt((request) => request === 'POST /webhook-endpoints', 'SIGTERM'));

/** A request in the second run, of which each asks for the clock first. */
function inSecondRun(wanted: string): Moment {
  let runs = 0;
  return (request) => {
    if (request === 'GET /clock') runs += 1;
    return runs > 1 && request === wanted;
  };
}

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
  'hookproof check --prove, interrupted while it judges %s, puts everything back and prints what it found',
  async (_name, moment, sentence) => {
    const server = await serve(['--clock', 'virtual']);
    const proxy = await standBefore(server, moment ?? (() => false));
    const journal = join(emptyFolder(), 'journal');
    const run = start(['check', '--prove', ...targetArgs(server, proxy.url), ...PROVEN], {
      HOOKPROOF_JOURNAL: journal,
    });
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

test('hookproof check --clean-up puts back what a killed proof changed', async () => {
  const server = await serve(['--clock', 'virtual']);
  const proxy = await standBefore(server, inSecondRun('POST /webhook-endpoints'));
  const journal = join(emptyFolder(), 'journal');
  const args = ['check', ...targetArgs(server, proxy.url), ...PROVEN];
  const run = start([...args, '--prove'], { HOOKPROOF_JOURNAL: journal });
  await proxy.reached;
  run.signal('SIGKILL');
  await run.finished;
  expect(await changesIn(server)).not.toEqual(UNCHANGED);
  const { code, stdout } = await hookproof([...args, '--clean-up'], {
    env: { HOOKPROOF_JOURNAL: journal },
  });
  expect(stdout).toMatch(/^Undone: (\d+) of \1 changes of killed runs\.\n$/);
  expect(code).toBe(0);
  expect(await changesIn(server)).toEqual(UNCHANGED);
});
