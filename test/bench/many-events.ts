import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { median } from './median.ts';
import type { Sample } from './programs/many-events/main.ts';

interface Report {
  readonly samples: readonly Sample[];
  readonly open: number;
  readonly closedBytes: number;
}

const PROGRAM = fileURLToPath(new URL('./programs/many-events/main.js', import.meta.url));

/** Compares memory and disk in the last fifth of many events with those in the second fifth. */
export const manyEvents: Bench = {
  title: 'many events through SQLite (MANY_EVENTS=5000000 for the long form)',
  async run() {
    const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-bench-'));
    const child = fork(PROGRAM, [folder]);
    const [{ samples, open, closedBytes }] = (await once(child, 'message')) as [Report];
    await rm(folder, { recursive: true });
    if (open > 0) throw new Error(`Every event must be settled, got ${open} open ones.`);
    const events = samples.at(-1)?.events;
    const resident = row(`memory over ${events} events`, samples, 'residentBytes');
    const file = row(`file and log over ${events} events`, samples, 'fileBytes');
    return [resident, { ...file, measured: `${file.measured}, ${megabytes(closedBytes)} closed` }];
  },
};

function row(what: string, samples: readonly Sample[], name: 'residentBytes' | 'fileBytes'): Row {
  const fifth = Math.floor(samples.length / 5);
  const early = median(samples.slice(fifth, 2 * fifth).map((sample) => sample[name]));
  const late = median(samples.slice(-fifth).map((sample) => sample[name]));
  return {
    what,
    measured: megabytes(late),
    against: `early ${megabytes(early)}`,
    ratio: late / early,
    bar: atMost(1.25, late / early),
  };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
