import { positiveInteger } from '../../argument-checks.ts';
import type { RunEdge } from '../../order/run-edge.ts';
import { repetitionOutcome } from '../repetition.ts';
import type {
  AcceptOutcome,
  DeadLetter,
  DeadLetterReason,
  IncomingEvent,
  Lease,
  LeasedWork,
  Store,
} from '../store.ts';
import { memoryLeases } from './leases.ts';
import { MemoryRecords, openEvent } from './records.ts';
import type { EventRecord, MemoryBounds } from './records.ts';

export interface MemoryStoreOptions {
  /** Maximum number of events that are not handled yet, dead letters included. Default: 100,000. */
  readonly maxEvents?: number;
  /** Maximum number of bytes of their bodies. Default: 64 MiB. */
  readonly maxBytes?: number;
  /**
   * Maximum number of handled events that are remembered, by id and digest, to recognise duplicates
   * and to order their run. Above it, the run that was untouched for the longest time is forgotten as a
   * whole, unless it has an event to handle or a dead letter. Default: 100,000, which take about 100 MB.
   */
  readonly maxHandled?: number;
}

/**
 * Creates a store that keeps events in this process: for tests, and for events that may be lost with
 * the process. When a bound is reached, `accept` rejects with the code `store_full` and the receiver
 * responds with 503.
 *
 * Requirements: `receiver.duplicate.single-effect`.
 *
 * @throws {TypeError} When a bound is not a positive integer.
 * @example
 * ```ts
 * import { createReceiver } from '@hookproof/receiver';
 * import { memoryStore } from '@hookproof/receiver/memory';
 *
 * export const receiver = createReceiver({
 *   secrets: 'whsec_c2VjcmV0',
 *   store: memoryStore({ maxEvents: 10_000 }),
 *   handlers: { failed: ({ data }) => console.error(data.run.id) },
 * });
 * ```
 */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  return new MemoryStore({
    maxEvents: positiveInteger('maxEvents', options.maxEvents, 100_000),
    maxBytes: positiveInteger('maxBytes', options.maxBytes, 64 * 1024 * 1024),
    maxHandled: positiveInteger('maxHandled', options.maxHandled, 100_000),
  });
}

/** Its operations are own properties, so that `{ ...store, accept }` replaces one of them. */
class MemoryStore implements Store {
  readonly #records: MemoryRecords;
  readonly #leases = memoryLeases();
  readonly #settledRuns = new Set<string>();

  constructor(bounds: MemoryBounds) {
    this.#records = new MemoryRecords(bounds);
  }

  readonly open = async (): Promise<void> => {};

  readonly accept = async (event: IncomingEvent): Promise<AcceptOutcome> => {
    const known = this.#records.get(event.id);
    if (known !== undefined) return repetitionOutcome(event.body, known);
    this.#records.add(event);
    return 'new';
  };

  readonly lease = async (request: {
    now: number;
    until: number;
    limit: number;
  }): Promise<readonly LeasedWork[]> => {
    const taken: LeasedWork[] = [];
    for (const record of this.#records.due(request.now)) {
      if (taken.length === request.limit) break;
      const lease = this.#leases.take(record.work, request.now, request.until);
      if (lease !== null) taken.push(this.#leasedWork(record, lease));
    }
    return taken;
  };

  readonly renew = async (lease: Lease, until: number): Promise<boolean> =>
    this.#leases.renew(lease, until);

  readonly place = async (
    lease: Lease,
    id: string,
    runId: string,
    edge: RunEdge,
  ): Promise<boolean> =>
    this.#whileHeld(lease, id, (record) => this.#records.place(record, runId, edge)) &&
    this.#leases.release(lease);

  readonly start = async (lease: Lease, id: string): Promise<boolean> =>
    this.#whileHeld(lease, id, (record) => {
      record.starts += 1;
    });

  readonly settle = async (
    lease: Lease,
    id: string,
    { runSettled }: { runSettled: boolean },
  ): Promise<boolean> =>
    this.#whileHeld(lease, id, (record) => {
      if (runSettled && record.runId !== null) this.#settledRuns.add(record.runId);
      this.#forgetRuns(this.#records.settle(record));
    });

  readonly recordFailure = async (
    lease: Lease,
    id: string,
    { dueAt, error }: { dueAt: number; error: string },
  ): Promise<boolean> =>
    this.#whileHeld(lease, id, (record) => this.#records.fail(record, dueAt, error));

  readonly deadLetter = async (
    lease: Lease,
    id: string,
    { reason, error }: { reason: DeadLetterReason; error: string },
  ): Promise<boolean> =>
    this.#whileHeld(lease, id, (record) => this.#records.setAside(record, reason, error));

  readonly release = async (
    lease: Lease,
    wait?: { ids: readonly string[]; dueAt: number },
  ): Promise<boolean> => {
    if (!this.#leases.isHeld(lease)) return false;
    for (const id of wait?.ids ?? []) {
      this.#whileHeld(lease, id, (record) => this.#records.setDue(record, wait?.dueAt ?? 0));
    }
    return this.#leases.release(lease);
  };

  readonly nextDue = async (now: number): Promise<number | null> => {
    const next = Math.min(this.#leases.nextEnd(now), this.#records.nextDue(now));
    return Number.isFinite(next) ? next : null;
  };

  readonly deadLetters = async (): Promise<readonly DeadLetter[]> => this.#records.deadLetters();

  readonly redrive = async (id: string, now: number): Promise<boolean> =>
    this.#records.reopen(id, now);

  readonly purge = async (before: number): Promise<number> => {
    const { count, runIds } = this.#records.purge(before);
    this.#forgetRuns(runIds);
    return count;
  };

  readonly close = async (): Promise<void> => {};

  /** Changes an open record if the lease covers it; returns whether it does. */
  #whileHeld(lease: Lease, id: string, change: (record: EventRecord) => void): boolean {
    const record = this.#leases.isHeld(lease) ? this.#records.get(id) : undefined;
    if (record?.state !== 'open' || record.work !== lease.work) return false;
    change(record);
    return true;
  }

  #leasedWork(first: EventRecord, lease: Lease): LeasedWork {
    const { runId } = first;
    const members = runId === null ? [first] : this.#records.ofRun(runId);
    return {
      lease,
      runId,
      open: members.filter(({ state }) => state === 'open').map(openEvent),
      known: members.flatMap(({ edge, state }) => (edge === null ? [] : [{ edge, state }])),
      isRunSettled: runId !== null && this.#settledRuns.has(runId),
    };
  }

  #forgetRuns(runIds: readonly string[]): void {
    for (const runId of runIds) this.#settledRuns.delete(runId);
  }
}
