import { join } from 'node:path';
import type { ConformanceOptions } from '@hookproof/conformance';

import { build } from './build.ts';
import type { Patch, Room } from './build.ts';
import type { Inspector } from './inspector.ts';
import { startTarget } from './processes.ts';
import type { RunningTarget } from './processes.ts';

/** The suite's result for a target. */
export interface Judgement {
  readonly outcome: string;
  readonly exitCode: number | null;
  /** Ids of the checks that found a violation, sorted. */
  readonly fails: readonly string[];
  /** Verdict of every check. */
  readonly verdicts: ReadonlyMap<string, string>;
}

const FAILED = new Set(['fail', 'advice', 'info']);
const SECRET = 'whsec_b25lIHNlY3JldCBmb3IgdGhlIG11dGFudHM';

/**
 * Builds a target, starts it in a process, and lets the suite judge it from another one.
 *
 * @param only - ids of the checks to run; default all
 */
export async function judge(
  inspector: Inspector,
  room: Room,
  patch?: Patch,
  only?: readonly string[],
): Promise<Judgement> {
  const built = build(room, patch);
  try {
    const target = await startTarget(built.program, {
      HOOKPROOF_SECRET: SECRET,
      DATABASE_FILE: join(built.folder, 'events.db'),
    });
    try {
      const options = room === 'receiver' ? receiver(target) : server(target);
      const { exitCode, output } = await inspector.inspect(
        only === undefined ? options : { ...options, only },
      );
      return { exitCode, ...read(output) };
    } finally {
      await target.stop();
    }
  } finally {
    built.remove();
  }
}

function server({ announcement }: RunningTarget): ConformanceOptions {
  const { baseUrl = '', appUrl = '', controlUrl = '', controlToken = '' } = announcement;
  return {
    baseUrl,
    appUrl,
    control: { url: controlUrl, token: controlToken },
    fixtures: { bodyLimitBytes: '1048576' },
    sender: true,
    allowWrites: true,
    allowDeletes: true,
  };
}

function receiver({ announcement }: RunningTarget): ConformanceOptions {
  const { listening = '' } = announcement;
  return {
    receiver: { url: `${listening}/`, secret: SECRET, observerUrl: `${listening}/observer` },
    allowWrites: true,
  };
}

function read(output: string): Omit<Judgement, 'exitCode'> {
  const report: { outcome: string; checks: { id: string; verdict: string }[] } = JSON.parse(output);
  const verdicts = new Map(report.checks.map(({ id, verdict }) => [id, verdict]));
  const fails = report.checks.filter(({ verdict }) => FAILED.has(verdict)).map(({ id }) => id);
  return { outcome: report.outcome, fails: fails.toSorted(), verdicts };
}
