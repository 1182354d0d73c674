import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { build, ROOT } from './build.ts';
import type { Patch, Room } from './build.ts';
import { runToEnd, startTarget } from './processes.ts';
import type { RunningTarget } from './processes.ts';

/** What the suite says about a target. */
export interface Judgement {
  readonly outcome: string;
  readonly exitCode: number | null;
  /** Ids of the checks that found a violation, sorted. */
  readonly red: readonly string[];
  /** Verdict of every check. */
  readonly verdicts: ReadonlyMap<string, string>;
}

const RED = new Set(['fail', 'advice', 'info']);
const COMMAND = join(ROOT, 'bin/hookproof.js');
const SECRET = 'whsec_b25lIHNlY3JldCBmb3IgdGhlIG11dGFudHM';

/** Builds a target, starts it, and lets the command line judge it: each in a process of its own. */
export async function judge(room: Room, patch?: Patch): Promise<Judgement> {
  const built = build(room, patch);
  try {
    const target = await startTarget(built.program, {
      HOOKPROOF_SECRET: SECRET,
      DATABASE_FILE: join(built.folder, 'events.db'),
    });
    try {
      return await check(room === 'receiver' ? receiver(target) : server(target, built.folder));
    } finally {
      await target.stop();
    }
  } finally {
    built.remove();
  }
}

function server({ announcement }: RunningTarget, folder: string): string[] {
  const { baseUrl = '', appUrl = '', controlUrl = '', controlToken = '' } = announcement;
  const fixtures = join(folder, 'fixtures.json');
  writeFileSync(fixtures, JSON.stringify({ bodyLimitBytes: '1048576' }));
  return [
    `--base-url=${baseUrl}`,
    `--app-url=${appUrl}`,
    `--control-url=${controlUrl}`,
    `--control-token=${controlToken}`,
    `--fixtures=${fixtures}`,
    '--sender',
    '--allow-writes',
    '--allow-deletes',
  ];
}

function receiver({ announcement }: RunningTarget): string[] {
  const { listening = '' } = announcement;
  return [
    `--receiver=${listening}/`,
    `--secret=${SECRET}`,
    `--observer=${listening}/observer`,
    '--allow-writes',
  ];
}

async function check(arguments_: readonly string[]): Promise<Judgement> {
  const { exitCode, output, errors } = await runToEnd(COMMAND, ['check', ...arguments_, '--json']);
  if (output === '') throw new Error(`the command line wrote no report: ${errors}`);
  const report: { outcome: string; checks: { id: string; verdict: string }[] } = JSON.parse(output);
  const verdicts = new Map(report.checks.map(({ id, verdict }) => [id, verdict]));
  const red = report.checks.filter(({ verdict }) => RED.has(verdict)).map(({ id }) => id);
  return { outcome: report.outcome, exitCode, red: red.toSorted(), verdicts };
}
