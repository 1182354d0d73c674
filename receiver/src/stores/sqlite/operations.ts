import type { Lease } from '../store.ts';
import type { Database } from './driver.ts';
import { openLeases } from './leases.ts';
import type { HeldWork, Leases } from './leases.ts';
import type { Operations } from './messages.ts';
import { openOutcomes } from './outcomes.ts';
import { openOverview } from './overview.ts';
import { openPauses } from './pauses.ts';
import { purging } from './purge.ts';
import { openWorkReader } from './reading.ts';
import { runIdOf } from './rows.ts';
import type { Totals } from './totals.ts';

/** Returns what the store can do with filed events. Run each operation inside a transaction. */
export function openOperations(database: Database, totals: Totals): Operations {
  const leases = openLeases(database, totals);
  const outcomes = openOutcomes(database, totals);
  const reader = openWorkReader(database);
  const overview = openOverview(database, totals);
  const pauses = openPauses(database);
  const purge = purging(database, totals);

  return {
    take: (at, request) =>
      leases.take(at, request).map((work) => {
        const { open, known } = reader.events(at, work, 0);
        const lease = { work: work.name, token: work.token };
        return { lease, runId: runIdOf(work.name), isRunSettled: work.isRunSettled, open, known };
      }),
    bodies(_at, lease, ids) {
      const work = leases.held(lease);
      return work === null ? new Map() : reader.bodies(work, ids);
    },
    news(at, lease, afterPosition) {
      const work = leases.held(lease);
      if (work === null) return null;
      leases.noteSeen(work);
      return reader.events(at, work, afterPosition);
    },
    renew: (at, lease, leaseFor) =>
      whileHeld(leases, lease, (work) => {
        leases.extend(at, work, leaseFor);
        return true;
      }),
    begin: (_at, lease, id) =>
      whileHeld(leases, lease, (work) => {
        leases.begin(work, id);
        return true;
      }),
    finish(at, lease, results, next) {
      const work = leases.held(lease);
      if (work === null) return { isHeld: false, lastPosition: 0 };
      for (const outcome of results) outcomes.apply(at, work, outcome);
      leases.next(at, work, next);
      return { isHeld: true, lastPosition: work.lastPosition };
    },
    nextDueIn: (at, request) => overview.nextDueIn(at, request),
    stats: (at) => overview.stats(at),
    inspect: (_at, id) => overview.inspect(id),
    history: (_at, runId) => reader.history(runId),
    openEvents: (at, page) => overview.openEvents(at, page),
    pause: (_at, name) => pauses.add(name),
    resume: (_at, name) => pauses.remove(name),
    paused: () => pauses.all(),
    deadLetters: (_at, page) => overview.deadLetters(page),
    redriveSome: (at, filter, after) => outcomes.redriveSome(at, filter, after),
    discard: (_at, id) => outcomes.discard(id),
    purgeSome: purge,
  };
}

function whileHeld(leases: Leases, lease: Lease, action: (work: HeldWork) => boolean): boolean {
  const work = leases.held(lease);
  return work !== null && action(work);
}
