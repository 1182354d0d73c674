import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { platform, tmpdir } from 'node:os';
import path from 'node:path';

import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';

import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { SECRET } from './delivery.ts';
import { median } from './median.ts';
import { startSlowDiskApp } from './server-process.ts';

const SYNC_MILLISECONDS = 8;
const EVENTS_PER_SECOND = 500;
const PROBES_PER_SECOND = 250;
const ROUND_SECONDS = 4;
const ROUNDS = 5;
const WHAT = `p99 of another route, ${EVENTS_PER_SECOND} events/s, sync takes ${SYNC_MILLISECONDS} ms`;

/** A library that makes each sync of the process that loads it take longer. */
const SLOW_SYNC = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
static int slow(const char *name, int fd) {
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  usleep(${SYNC_MILLISECONDS * 1000});
  return next(fd);
}
int fsync(int fd) { return slow("fsync", fd); }
int fdatasync(int fd) { return slow("fdatasync", fd); }
`;

/** Compares another route of an app that receives events on a slow disk with the app without a receiver. */
export const slowDisk: Bench = {
  title: 'the rest of the app on a slow disk, SQLite store',
  async run() {
    const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-bench-'));
    try {
      const library = await slowSync(folder);
      return [library === null ? leftOut() : await measure(folder, library)];
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

async function measure(folder: string, library: string): Promise<Row> {
  const file = path.join(folder, 'events.db');
  const receiving = await startSlowDiskApp(library, file);
  const plain = await startSlowDiskApp(library);
  const times = { receiving: [] as number[], plain: [] as number[] };
  for (let round = -1; round < ROUNDS; round += 1) {
    const ofPlain = await percentile99(plain.ready.baseUrl, round);
    const ofReceiving = await percentile99(receiving.ready.baseUrl, round);
    if (round < 0) continue;
    times.plain.push(ofPlain);
    times.receiving.push(ofReceiving);
  }
  await Promise.all([receiving.stop(), plain.stop()]);
  const [with99, without99] = [median(times.receiving), median(times.plain)];
  return {
    what: WHAT,
    measured: `${with99.toFixed(2)} ms`,
    against: `the same app without a receiver ${without99.toFixed(2)} ms; bar on the difference`,
    ratio: with99 / without99,
    bar: atMost(2, with99 - without99),
  };
}

function leftOut(): Row {
  const measured = 'LEFT OUT: it needs Linux and gcc';
  return { what: WHAT, measured, against: '', ratio: null, bar: null };
}

/** Compiles the library; `null` without Linux or a compiler. */
async function slowSync(folder: string): Promise<string | null> {
  const source = path.join(folder, 'slow-sync.c');
  const library = path.join(folder, 'slow-sync.so');
  await writeFile(source, SLOW_SYNC);
  if (platform() !== 'linux') return null;
  try {
    execFileSync('gcc', ['-shared', '-fPIC', '-o', library, source, '-ldl'], { stdio: 'ignore' });
    return library;
  } catch {
    return null;
  }
}

/** Delivers events at a constant rate and measures requests to the other route in between. */
async function percentile99(baseUrl: string, round: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const times: number[] = [];
  const running: Promise<void>[] = [];
  const start = performance.now();
  let events = 0;
  let probes = 0;
  for (;;) {
    const elapsed = performance.now() - start;
    if (elapsed > ROUND_SECONDS * 1_000) break;
    for (; events < (elapsed / 1_000) * EVENTS_PER_SECOND; events += 1) {
      running.push(deliver(baseUrl, agent, `${round}_${events}`));
    }
    for (; probes < (elapsed / 1_000) * PROBES_PER_SECOND; probes += 1) {
      running.push(probe(baseUrl, agent, times));
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
  }
  await Promise.all(running);
  agent.destroy();
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

async function deliver(baseUrl: string, agent: Agent, name: string): Promise<void> {
  const run = { id: `exec_${name}`, output: 'x'.repeat(700) };
  const { headers, body } = signEvent(runCreatedEvent({ run }), { secret: SECRET });
  const status = await roundTrip(baseUrl, agent, { method: 'POST', headers, body });
  if (status >= 300) throw new Error(`Delivery must get a 2xx, got ${status}.`);
}

async function probe(baseUrl: string, agent: Agent, times: number[]): Promise<void> {
  const start = performance.now();
  await roundTrip(baseUrl, agent, { method: 'GET', headers: {}, body: new Uint8Array() });
  times.push(performance.now() - start);
}

function roundTrip(
  baseUrl: string,
  agent: Agent,
  sent: { method: string; headers: Readonly<Record<string, string>>; body: Uint8Array },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const { method, headers, body } = sent;
    request(baseUrl, { agent, method, headers: { ...headers, 'content-length': body.length } })
      .on('response', (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      })
      .on('error', reject)
      .end(body);
  });
}
