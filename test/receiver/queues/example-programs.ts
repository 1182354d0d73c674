import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type { RunEvent } from '@hookproof/receiver';
import { runTimeline, signEvent } from '@hookproof/receiver/testing';
import { expect, onTestFinished } from 'vitest';

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

/** Starts an ingress, and returns it with a function that delivers an event and returns the status. */
export async function startIngress(
  program: string,
  environment: Readonly<Record<string, string>>,
): Promise<ExampleProgram & { url: string; send(event: RunEvent): Promise<number> }> {
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
