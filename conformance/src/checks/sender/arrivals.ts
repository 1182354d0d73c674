import type { RunStatus } from '@hookproof/spec';
import { isDeepStrictEqual } from 'node:util';

import type { Redelivery } from '../../driver/sender-driver.ts';
import { grouped } from '../../grouped.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { dataOf, runOf } from '../../listener/delivery.ts';

/** Deliveries in order of arrival: retries, duplicates and redeliveries included. */
export type Arrivals = readonly ReceivedDelivery[];

export function isCreated({ event }: Pick<ReceivedDelivery, 'event'>): boolean {
  return event['type'] === 'run.created' && event['test'] !== true;
}

export function isChange({ event }: Pick<ReceivedDelivery, 'event'>): boolean {
  return event['type'] === 'run.status_changed' && event['test'] !== true;
}

/** The deliveries about a run. */
export function about(arrivals: Arrivals, { id }: { readonly id: string }): Arrivals {
  return arrivals.filter(({ event }) => runOf(event)['id'] === id);
}

/** The deliveries of each event, by the id in the body. */
export function byEvent(arrivals: Arrivals): ReadonlyMap<string, Arrivals> {
  return grouped(arrivals, ({ event }) => String(event['id']));
}

/** Deliveries with the same content under different ids, one of each pair: one event cannot have two ids. */
export function twinsIn(
  arrivals: Arrivals,
): readonly { readonly first: ReceivedDelivery; readonly twin: ReceivedDelivery }[] {
  const firsts = new Map<string, ReceivedDelivery>();
  return arrivals.flatMap((twin) => {
    const { id, ...rest } = twin.event;
    const content = JSON.stringify(rest);
    const first = firsts.get(content) ?? twin;
    firsts.set(content, first);
    return first.event['id'] === id ? [] : [{ first, twin }];
  });
}

/** What arrived after a redelivery was asked for, and reports the same as its event under another id. */
export function renamedRedeliveries(
  arrivals: Arrivals,
  { eventId, deliveriesBefore }: Redelivery,
): Arrivals {
  const first = arrivals.find(({ event }) => event['id'] === eventId);
  if (first === undefined) return [];
  const before = new Set(arrivals.slice(0, deliveriesBefore).map(({ event }) => event['id']));
  return arrivals
    .slice(deliveriesBefore)
    .filter((one) => !before.has(one.event['id']) && reportSame(first, one));
}

/** Whether two deliveries report the same creation or the same change of the same run. */
export function reportSame(one: ReceivedDelivery, other: ReceivedDelivery): boolean {
  return isDeepStrictEqual(subjectOf(one), subjectOf(other));
}

function subjectOf({ event }: ReceivedDelivery): readonly unknown[] {
  const { previousStatus, currentStatus } = dataOf(event);
  return [event['type'], runOf(event)['id'], previousStatus, currentStatus];
}

/** One change of a run, as its event reports it. */
export interface ReportedTransition {
  readonly from: string;
  readonly to: string;
}

/** The changes of a run, each event once. */
export function transitionsOf(
  arrivals: Arrivals,
  run: { readonly id: string },
): readonly ReportedTransition[] {
  const changes = about(arrivals, run).filter(isChange);
  const twins = new Set(twinsIn(changes).map(({ twin }) => twin));
  return [...byEvent(changes.filter((change) => !twins.has(change))).values()].flatMap(
    ([first]) => {
      if (first === undefined) return [];
      const { previousStatus, currentStatus } = dataOf(first.event);
      return [{ from: String(previousStatus), to: String(currentStatus) }];
    },
  );
}

/** The statuses of a run for which there is no event, each as often as there is none. */
export function missingStatuses(
  arrivals: Arrivals,
  run: { readonly id: string },
  statuses: readonly RunStatus[],
): readonly RunStatus[] {
  const reported = new Map<string, number>();
  for (const { to } of transitionsOf(arrivals, run)) reported.set(to, (reported.get(to) ?? 0) + 1);
  return statuses.filter((status) => {
    const left = reported.get(status) ?? 0;
    reported.set(status, left - 1);
    return left <= 0;
  });
}

/**
 * Whether the transitions can be made in a row from the first status, each once: an Eulerian walk. To try the orders
 * would take weeks for a run that waits ten times.
 */
export function isChain(first: string, transitions: readonly ReportedTransition[]): boolean {
  const leaving = grouped(transitions, ({ from }) => from);
  const arriving = grouped(transitions, ({ to }) => to);
  const surplus = (status: string): number =>
    (leaving.get(status)?.length ?? 0) - (arriving.get(status)?.length ?? 0);
  const uneven = [...new Set([...leaving.keys(), ...arriving.keys()])].filter(
    (status) => surplus(status) !== 0,
  );
  // A walk leaves its first status once more than it enters it, unless it ends there.
  const isEven = uneven.length === 0 || (uneven.length === 2 && surplus(first) === 1);
  const reached = reachableFrom(first, leaving);
  return isEven && [...leaving.keys()].every((status) => reached.has(status));
}

/** The statuses that some transitions lead to, one after the other, and the first one. */
function reachableFrom(
  first: string,
  leaving: ReadonlyMap<string, readonly ReportedTransition[]>,
): ReadonlySet<string> {
  // A set is iterated in the order in which it grows.
  const reached = new Set([first]);
  for (const status of reached) for (const { to } of leaving.get(status) ?? []) reached.add(to);
  return reached;
}
