import { positiveInteger } from '../positive-integer.ts';
import { bodyDigest, sameBytes } from './body-digest.ts';
import { memoryLeases } from './memory/leases.ts';
import { memoryRecords, openRecord } from './memory/records.ts';
import type { EventRecord } from './memory/records.ts';
import type { Lease, LeasedWork, Store } from './store.ts';

export interface MemoryStoreOptions {
  /** Most events kept that are not handled yet, dead letters included. Default: 100,000. */
  readonly maxEvents?: number;
  /** Most bytes of their bodies. Default: 64 MiB. */
  readonly maxBytes?: number;
  /**
   * Most handled events remembered, by id and digest, to recognise duplicates and to order their run.
   * Beyond it, the run longest untouched is forgotten as a whole; none that has an event to handle or
   * a dead letter. Default: 100,000, which take about 100 MB.
   */
  readonly maxHandled?: number;
}

/**
 * Keeps events in this process: for tests, and where events may be lost with the process. When the events
 * to handle are too many, `accept` rejects with `store_full` and the receiver answers 503.
 *
 * @throws {TypeError} When a bound is not a positive whole number.
 */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  const records = memoryRecords({
    maxEvents: positiveInteger('maxEvents', options.maxEvents, 100_000),
    maxBytes: positiveInteger('maxBytes', options.maxBytes, 64 * 1024 * 1024),
    maxHandled: positiveInteger('maxHandled', options.maxHandled, 100_000),
  });
  const leases = memoryLeases();
  const settledRuns = new Set<string>();
  const forgetRuns = (runIds: readonly string[]): void => {
    for (const runId of runIds) settledRuns.delete(runId);
  };

  const held = (lease: Lease, id: string): EventRecord | undefined => {
    const record = leases.isHeld(lease) ? records.get(id) : undefined;
    return record?.state === 'open' && record.work === lease.work ? record : undefined;
  };
  const leasedWork = (first: EventRecord, lease: Lease): LeasedWork => {
    const members = first.runId === null ? [first] : records.ofRun(first.runId);
    return {
      lease,
      runId: first.runId,
      open: members.filter((record) => record.state === 'open').map(openRecord),
      known: members.flatMap(({ edge, state }) => (edge === null ? [] : [{ edge, state }])),
      isRunSettled: first.runId !== null && settledRuns.has(first.runId),
    };
  };

  return {
    async open() {},
    async accept(event) {
      const known = records.get(event.id);
      if (known === undefined) {
        records.add(event);
        return 'new';
      }
      const isSame =
        known.body === null
          ? known.digest !== null && sameBytes(known.digest, bodyDigest(event.body))
          : sameBytes(known.body, event.body);
      return isSame ? 'duplicate' : 'conflict';
    },
    async lease({ now, until, limit }) {
      const taken: LeasedWork[] = [];
      for (const record of records.due(now)) {
        if (taken.length === limit) break;
        const lease = leases.take(record.work, now, until);
        if (lease !== null) taken.push(leasedWork(record, lease));
      }
      return taken;
    },
    async renew(lease, until) {
      return leases.renew(lease, until);
    },
    async place(lease, id, runId, edge) {
      const record = held(lease, id);
      if (record === undefined) return false;
      records.place(record, runId, edge);
      return leases.release(lease);
    },
    async start(lease, id) {
      const record = held(lease, id);
      if (record !== undefined) record.starts += 1;
      return record !== undefined;
    },
    async settle(lease, id, { runSettled }) {
      const record = held(lease, id);
      if (record === undefined) return false;
      if (runSettled && record.runId !== null) settledRuns.add(record.runId);
      forgetRuns(records.settle(record));
      return true;
    },
    async recordFailure(lease, id, { dueAt, error }) {
      const record = held(lease, id);
      if (record === undefined) return false;
      Object.assign(record, { error, starts: 0, attempts: record.attempts + 1 });
      records.setDue(record, dueAt);
      return true;
    },
    async deadLetter(lease, id, { reason, error }) {
      const record = held(lease, id);
      if (record === undefined) return false;
      records.bury(record, reason, error);
      return true;
    },
    async release(lease, wait) {
      if (!leases.isHeld(lease)) return false;
      for (const id of wait?.ids ?? []) {
        const record = held(lease, id);
        if (record !== undefined && wait !== undefined) records.setDue(record, wait.dueAt);
      }
      return leases.release(lease);
    },
    async nextDue(now) {
      const next = Math.min(leases.nextEnd(now), records.nextDue(now));
      return Number.isFinite(next) ? next : null;
    },
    async deadLetters() {
      return records.dead();
    },
    async redrive(id, now) {
      return records.reopen(id, now);
    },
    async purge(before) {
      const { count, runIds } = records.purge(before);
      forgetRuns(runIds);
      return count;
    },
    async close() {},
  };
}
