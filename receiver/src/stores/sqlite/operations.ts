import type { Lease } from '../store.ts';
import { accepting } from './accepting.ts';
import type { Database } from './driver.ts';
import { openLeases } from './leases.ts';
import type { HeldJob, Leases } from './leases.ts';
import type { Operations } from './messages.ts';
import { openOutcomes } from './outcomes.ts';
import { openOverview } from './overview.ts';
import { openPauses } from './pauses.ts';
import { openPurge } from './purge.ts';
import { openJobReader } from './reading.ts';
import { replaying } from './replaying.ts';
import type { Totals } from './totals.ts';

/** Returns what the store can do. Run each operation inside a transaction. */
export function openOperations(database: Database, totals: Totals): Operations {
  const leases = openLeases(database, totals);
  const outcomes = openOutcomes(database, totals);
  const reader = openJobReader(database);
  const overview = openOverview(database, totals);
  const pauses = openPauses(database);
  const purge = openPurge(database, totals);
  const keepArrival = database.prepare(
    'UPDATE hookproof_events SET arrival = ? WHERE id = ? AND job = ?',
  );

  return {
    accept: accepting(database, totals),
    take: (at, request) =>
      leases.take(at, request).map(({ held, name, runId }) => {
        const { token, isRunSettled, order, lastPosition } = held;
        const { open, known, hasMoreBefore, hasMoreAfter } = reader.first(at, held);
        return {
          lease: { job: name, token },
          runId,
          isRunSettled,
          order,
          lastPosition,
          open,
          known,
          hasMoreBefore,
          hasMoreAfter,
        };
      }),
    bodies(_at, lease, ids) {
      const job = leases.held(lease);
      return job === null ? new Map() : reader.bodies(job, ids);
    },
    news(at, lease, afterPosition) {
      const job = leases.held(lease);
      if (job === null) return null;
      const news = reader.news(at, job, afterPosition);
      if (!news.hasMoreAfter) leases.noteSeen(job);
      return news;
    },
    waiting(at, lease, afterPlace) {
      const job = leases.held(lease);
      return job && reader.waiting(at, job, afterPlace);
    },
    near(_at, lease, place, limit) {
      const job = leases.held(lease);
      return job && reader.near(job, place, limit);
    },
    keepArrivals: (_at, lease, arrivals) =>
      whileHeld(leases, lease, (job) => {
        for (const { id, arrival } of arrivals) keepArrival.run(arrival, id, job.seq);
        return true;
      }),
    renew: (at, lease, leaseFor) =>
      whileHeld(leases, lease, (job) => {
        leases.extend(at, job, leaseFor);
        return true;
      }),
    begin: (_at, lease, id) =>
      whileHeld(leases, lease, (job) => {
        leases.begin(job, id);
        return true;
      }),
    finish(at, lease, results, next, order) {
      const job = leases.held(lease);
      if (job === null) return { isHeld: false, lastPosition: 0 };
      for (const outcome of results) outcomes.apply(at, job, outcome);
      if (order !== null) leases.keepOrder(job, order);
      leases.next(at, job, next);
      return { isHeld: true, lastPosition: job.lastPosition };
    },
    nextDueIn: (at, request) => overview.nextDueIn(at, request),
    stats: (at) => overview.stats(at),
    inspect: (_at, id) => overview.inspect(id),
    history: (_at, runId) => reader.history(runId),
    openEvents: (at, page, runId) => overview.openEvents(at, page, runId),
    pause: (_at, name) => pauses.add(name),
    resume: (at, name) => pauses.remove(at, name),
    makeSomeDue: (at) => pauses.makeSomeDue(at),
    paused: () => pauses.all(),
    deadLetters: (_at, page, filter) => overview.deadLetters(page, filter),
    runs: (_at, page, automationId) => overview.runs(page, automationId),
    body: (_at, id) => overview.body(id),
    redriveSome: (at, filter, after) => outcomes.redriveSome(at, filter, after),
    replaySome: replaying(database, totals),
    discardSome: (at, filter, after) => outcomes.discardSome(at, filter, after),
    countDead: (_at, filter) => overview.countDead(filter),
    purgeSome: (at, olderThan) => purge.jobs(at, olderThan),
    purgeBodies: (at) => purge.bodies(at),
  };
}

function whileHeld(leases: Leases, lease: Lease, action: (job: HeldJob) => boolean): boolean {
  const job = leases.held(lease);
  return job !== null && action(job);
}
