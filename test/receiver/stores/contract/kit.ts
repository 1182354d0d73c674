import assert from 'node:assert/strict';

import { realClock } from '@hookproof/receiver';
import type { Clock } from '@hookproof/receiver';

import type {
  EventFilter,
  EventRecord,
  LeasedJob,
  NewEvent,
  Next,
  Outcome,
  Store,
  TakeRequest,
} from '../../../../receiver/src/stores/store.ts';

/** What the contract needs to know about a store. */
export interface StoreContractOptions {
  /** Returns a store without events that is not open yet. The contract opens and closes it. */
  readonly create: () => Store | Promise<Store>;
  /** The clock that the store gets. Default: the clock of the machine. */
  readonly clock?: Clock;
  /** Lets this many milliseconds pass for the store. Default: waits that long. */
  readonly elapse?: (milliseconds: number) => Promise<void>;
}

/** A lease that does not expire during a test. */
export const LONG = 3_600_000;

export const SOURCE = 'platform';

/** An open store and short forms of the calls that every test makes. */
export interface Kit {
  readonly store: Store;
  readonly elapse: (milliseconds: number) => Promise<void>;
  /** Accepts events of one key. */
  readonly acceptAll: (key: string, ...ids: readonly string[]) => Promise<void>;
  readonly take: (options?: Partial<TakeRequest>) => Promise<readonly LeasedJob[]>;
  /** Takes exactly one job. */
  readonly takeOne: (options?: Partial<TakeRequest>) => Promise<LeasedJob>;
  /** Takes one job, writes outcomes and releases it. */
  readonly handle: (outcomes: readonly Outcome[], next?: Next) => Promise<void>;
  /** Returns all events that match. */
  readonly list: (filter?: EventFilter) => Promise<readonly EventRecord[]>;
  readonly inspect: (id: string) => Promise<EventRecord | undefined>;
}

export type StoreTest = (kit: Kit) => Promise<void>;

/** The owner of the keys that `keyed` makes. */
export const OWNER = 'agent_1';

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** An event without a key. */
export function single(id: string, body = `{"id":"${id}"}`): NewEvent {
  return {
    source: SOURCE,
    id,
    key: null,
    owner: null,
    type: null,
    handler: null,
    facts: null,
    body: bytes(body),
    timestamp: 1,
    error: null,
  };
}

export function keyed(key: string, id: string, changes: Partial<NewEvent> = {}): NewEvent {
  const facts = { owner: OWNER, type: 'run.created', handler: 'running', facts: `facts of ${id}` };
  return { ...single(id), key, ...facts, ...changes };
}

export function handled(id: string, settlesJob = false, keepBodyFor = 0): Outcome {
  return { id, as: 'handled', settlesJob, keepBodyFor };
}

/** Handled with a body that is kept, as a rule for longer than a test. */
export function kept(id: string, settlesJob = false, keepBodyFor: number = LONG): Outcome {
  return handled(id, settlesJob, keepBodyFor);
}

export function failed(id: string, dueIn: number, error = 'no'): Outcome {
  return { id, as: 'failed', dueIn, attempt: { handler: 'event', error, milliseconds: 5 } };
}

export function dead(id: string, error = 'why'): Outcome {
  return { id, as: 'dead', reason: 'handler_failed', error, attempt: null };
}

export const RELEASE: Next = { do: 'release', dueIn: null };
export const AGAIN: Next = { do: 'release', dueIn: 0 };

export function hold(begin: string | null = null, leaseFor = LONG): Next {
  return { do: 'hold', leaseFor, begin };
}

export function idsOf(events: readonly { readonly id: string }[]): readonly string[] {
  return events.map(({ id }) => id);
}

/** Returns the open events of a job. */
export function openIn({ events }: Pick<LeasedJob, 'events'>): readonly string[] {
  return idsOf(events.filter(({ state }) => state === 'open'));
}

/** Opens a new store for one test and closes it afterwards. */
export async function withKit(options: StoreContractOptions, run: StoreTest): Promise<void> {
  const { create, clock = realClock() } = options;
  const store = await create();
  await store.open({ clock });
  const take: Kit['take'] = async (request) => {
    const all = { holder: 'one', inHand: [], limit: 10, leaseFor: LONG, ...request };
    return (await store.take(all)).jobs;
  };
  const takeOne: Kit['takeOne'] = async (request) => {
    const [job, ...others] = await take(request);
    assert.ok(job, 'take() must return a job, got none.');
    assert.equal(others.length, 0, 'take() must return one job.');
    return job;
  };
  const list: Kit['list'] = async (filter = {}) =>
    (await store.list(filter, { after: null, limit: 1_000 })).items;
  try {
    await run({
      store,
      take,
      takeOne,
      list,
      inspect: async (id) => (await list({ ids: [id] }))[0],
      elapse: options.elapse ?? ((milliseconds) => pause(clock, milliseconds)),
      async acceptAll(key, ...ids) {
        for (const id of ids) assert.equal(await store.accept(keyed(key, id)), 'new');
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
