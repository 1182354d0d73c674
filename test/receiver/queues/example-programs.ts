import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type { RunEvent } from '@hookproof/receiver';
import { runTimeline, signEvent } from '@hookproof/receiver/testing';
import { expect, it, onTestFinished } from 'vitest';

import { hookproof } from '../../bin/hookproof.ts';
import type { LocalServer } from '../../services/local-server.ts';
import { SECRET } from '../started-receiver.ts';

const EXAMPLES = new URL('../../../receiver/examples/dist/', import.meta.url);
const STATUSES = ['created', 'pending', 'running', 'finalizing', 'completed'] as const;

export interface ExampleProgram {
  /** The values of all lines with this name, in order. */
  named(name: string): readonly unknown[];
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

/** Starts a program of an example, and resolves when it has printed a line with this name. */
export async function startExample(
  program: string,
  ready: string,
  environment: Readonly<Record<string, string>>,
): Promise<ExampleProgram> {
  const main = fileURLToPath(new URL(`${program}/main.js`, EXAMPLES));
  const child = spawn(process.execPath, [main], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: Record<string, unknown>[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)));
  const named = (name: string) => lines.flatMap((line) => (name in line ? [line[name]] : []));
  await expect.poll(() => named(ready)).toHaveLength(1);
  return {
    named,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export interface Ingress extends ExampleProgram {
  readonly url: string;
  /** Delivers an event, and returns the status. */
  readonly send: (event: RunEvent) => Promise<number>;
}

/** A broker with an ingress before it. The processors share a database. */
export interface StartedExample {
  readonly server: LocalServer;
  readonly ingress: Ingress;
  readonly startProcessor: () => Promise<ExampleProgram>;
}

export async function startIngress(
  program: string,
  environment: Readonly<Record<string, string>>,
): Promise<Ingress> {
  const ingress = await startExample(program, 'listening', {
    WEBHOOK_SECRET: SECRET,
    ...environment,
  });
  const url = String(ingress.named('listening')[0]);
  return {
    ...ingress,
    url,
    async send(event) {
      const { headers, body } = signEvent(event, { secret: SECRET });
      const init = { method: 'POST', headers, body: new Uint8Array(body) };
      return (await fetch(url, init)).status;
    },
  };
}

/** Registers what the example with each broker promises. The broker responds to a repetition with `repeated`. */
export function brokerTests(start: () => Promise<StartedExample>, repeated: 200 | 202): void {
  it('loses nothing and keeps the order of each run while processors are killed', async () => {
    const { ingress, startProcessor } = await start();
    const runs = runsOf('broker', 30);
    const statuses = await Promise.all(mixed(runs).map((event) => ingress.send(event)));
    expect(new Set(statuses)).toEqual(new Set([repeated, 202]));
    const isNew = repeated === 202 ? statuses.length : runs.flat().length;
    expect(statuses.filter((status) => status === 202)).toHaveLength(isNew);
    await surviveKills(runs, startProcessor, 3);
    expect(await ingress.stop()).toBe(0);
  });

  it('has a conformant ingress, which responds with 503 while the server is down, and keeps what it has over its crash', async () => {
    const { server, ingress, startProcessor } = await start();
    const options = ['--receiver', ingress.url, '--secret', SECRET];
    const { code, stdout } = await hookproof(['check', ...options]);
    expect(stdout).toMatch(/conformant/i);
    expect(code).toBe(0);
    const events = runTimeline(['created', 'pending', 'running'], { run: { id: 'exec_crash' } });
    const [first, second, third] = events;
    if (!first || !second || !third) throw new Error('A run must have three events.');
    expect(await ingress.send(first)).toBe(202);
    await server.crash();
    expect(await ingress.send(second)).toBe(503);
    await server.restart();
    await expect.poll(() => ingress.send(second)).toBeLessThan(300);
    expect(await ingress.send(third)).toBe(202);
    const processor = await startProcessor();
    const handled = () =>
      processor.named('handled').filter((one) => (one as Handled).runId === 'exec_crash');
    await expect.poll(handled).toMatchObject(events.map(({ id }) => ({ eventId: id })));
    expect(await processor.stop()).toBe(0);
  });
}

/** Returns the events of some runs, by run. */
export function runsOf(prefix: string, count: number): readonly (readonly RunEvent[])[] {
  return Array.from({ length: count }, (_, index) =>
    runTimeline(STATUSES, { run: { id: `exec_${prefix}_${index}` } }),
  );
}

/** Returns all events in an order that mixes the runs and reverses some of them, a tenth of them twice. */
export function mixed(runs: readonly (readonly RunEvent[])[]): readonly RunEvent[] {
  const events = runs.flatMap((run, index) => (index % 2 === 0 ? run : run.toReversed()));
  return [...events, ...events.filter((_, index) => index % 10 === 0)]
    .map((event, index) => ({ event, at: (index * 7_919) % 1_009 }))
    .toSorted((left, right) => left.at - right.at)
    .map(({ event }) => event);
}

/** What a processor prints for an event. */
export interface Handled {
  readonly eventId: string;
  readonly runId: string;
}

/**
 * Kills one processor after the other while it handles the events. In the end each run must be handled
 * whole and in order; only what was in hand at a kill may be handled twice in a row.
 */
export async function surviveKills(
  runs: readonly (readonly RunEvent[])[],
  startProcessor: () => Promise<ExampleProgram>,
  kills: number,
): Promise<void> {
  const total = runs.flat().length;
  const handled: Handled[] = [];
  const isHandled = () => new Set(handled.map(({ eventId }) => eventId)).size;
  for (let kill = 1; kill <= kills; kill += 1) {
    const processor = await startProcessor();
    const target = Math.floor((total * kill) / (kills + 2)) - isHandled();
    await expect.poll(() => processor.named('handled').length).toBeGreaterThanOrEqual(target);
    await processor.kill();
    handled.push(...(processor.named('handled') as Handled[]));
  }
  const last = await startProcessor();
  await expect
    .poll(() => new Set([...handled, ...(last.named('handled') as Handled[])].map(idOf)).size)
    .toBe(total);
  expect(await last.stop()).toBe(0);
  handled.push(...(last.named('handled') as Handled[]));

  expectWhole(runs, handled, kills);
}

/** Expects each run whole and in order; only what was in hand at a kill may be handled twice in a row. */
export function expectWhole(
  runs: readonly (readonly RunEvent[])[],
  handled: readonly Handled[],
  kills: number,
): void {
  for (const run of runs) {
    const [first] = run;
    const ids = handled.filter(({ runId }) => runId === first?.data.run.id).map(idOf);
    const distinct = ids.filter((id, index) => id !== ids[index - 1]);
    expect(distinct).toEqual(run.map(({ id }) => id));
  }
  const repeated = handled.length - runs.flat().length;
  expect(repeated).toBeLessThanOrEqual(kills * MAX_CONCURRENT_RUNS);
}

const MAX_CONCURRENT_RUNS = 16;

function idOf({ eventId }: Handled): string {
  return eventId;
}
