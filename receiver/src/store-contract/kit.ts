import assert from 'node:assert/strict';

import { realClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { RunEdge } from '../order/run-edge.ts';
import type { IncomingEvent, LeasedJob, Next, Outcome, Store } from '../stores/store.ts';

/** What the contract needs to know about a store. */
export interface StoreContractOptions {
  /** Registers one test: `test` of `node:test`, Vitest or Jest. */
  readonly test: (name: string, run: () => Promise<void>) => unknown;
  /** Returns a store without events that is not open yet. The contract opens and closes it. */
  readonly create: () => Store | Promise<Store>;
  /** The clock that the store gets. Default: the clock of the machine. */
  readonly clock?: Clock;
  /** Lets this many milliseconds pass for the store. Default: waits that long. */
  readonly elapse?: (milliseconds: number) => Promise<void>;
}

/** A lease that does not expire during a test. */
export const LONG = 3_600_000;

/** An open store and short forms of the calls that every test makes. */
export interface Kit {
  readonly store: Store;
  readonly conflicts: readonly string[];
  readonly elapse: (milliseconds: number) => Promise<void>;
  /** Accepts events of one run, each a step of it. */
  readonly acceptRun: (runId: string, ...ids: readonly string[]) => Promise<void>;
  readonly take: (options?: Partial<Parameters<Store['take']>[0]>) => Promise<readonly LeasedJob[]>;
  /** Takes exactly one job. */
  readonly takeOne: (options?: Partial<Parameters<Store['take']>[0]>) => Promise<LeasedJob>;
  /** Takes one job, writes outcomes and releases it. */
  readonly handle: (outcomes: readonly Outcome[], next?: Next) => Promise<void>;
}

export type StoreTest = (kit: Kit) => Promise<void>;

/** The automation of the runs that `ofRun` makes. */
export const AUTOMATION = 'agent_1';

const encoder = new TextEncoder();

export function bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

export function single(id: string, body = `{"id":"${id}"}`): IncomingEvent {
  return { id, body: bytes(body), timestamp: 1, content: { kind: 'single' } };
}

export function ofRun(
  runId: string,
  id: string,
  {
    body = `{"id":"${id}"}`,
    automationId = AUTOMATION,
  }: { readonly body?: string; readonly automationId?: string | null } = {},
): IncomingEvent {
  const content = { kind: 'run', runId, automationId, edge: edgeNamed(id) } as const;
  return { id, body: bytes(body), timestamp: 1, content };
}

/** Returns the step that `ofRun` gives to an event. */
export function edgeNamed(id: string): RunEdge {
  return {
    id,
    previousStatus: id.endsWith('1') ? null : 'pending',
    currentStatus: 'running',
    createdAt: '2026-07-01T00:00:00.000000001Z',
  };
}

export function settled(id: string, runSettled = false): Outcome {
  return { id, as: 'settled', runSettled, keepBodyFor: 0 };
}

/** Settled with a body that is kept, as a rule for longer than a test. */
export function kept(id: string, runSettled = false, keepBodyFor: number = LONG): Outcome {
  return { id, as: 'settled', runSettled, keepBodyFor };
}

export function failed(id: string, dueIn: number, error = 'no'): Outcome {
  return { id, as: 'failed', dueIn, error };
}

export function dead(id: string, isFailure = false): Outcome {
  return { id, as: 'dead', reason: 'handler_failed', error: 'why', isFailure };
}

export const RELEASE: Next = { do: 'release', dueIn: null };

/** Opens a new store for one test and closes it afterwards. */
export async function withKit(options: StoreContractOptions, run: StoreTest): Promise<void> {
  const { create, clock = realClock() } = options;
  const store = await create();
  const conflicts: string[] = [];
  await store.open({ clock, wake: () => {}, conflict: (id) => conflicts.push(id) });
  const take: Kit['take'] = (request) =>
    store.take({ holder: 'one', inHand: [], limit: 10, leaseFor: LONG, ...request });
  const takeOne: Kit['takeOne'] = async (request) => {
    const [job, ...others] = await take(request);
    assert.ok(job, 'take() must return a job, got none.');
    assert.equal(others.length, 0, 'take() must return one job.');
    return job;
  };
  try {
    await run({
      store,
      conflicts,
      take,
      takeOne,
      elapse: options.elapse ?? ((milliseconds) => pause(clock, milliseconds)),
      async acceptRun(runId, ...ids) {
        for (const id of ids) assert.equal(await store.accept(ofRun(runId, id)), 'new');
      },
      async handle(outcomes, next = RELEASE) {
        const { lease } = await takeOne();
        assert.equal((await store.finish(lease, outcomes, next)).isHeld, true);
      },
    });
  } finally {
    await store.close();
  }
}

function pause(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimeout(resolve, milliseconds);
  });
}
