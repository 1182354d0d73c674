import { RUN_STATUSES, TERMINAL_RUN_STATUSES } from '@hookproof/spec';

import type { Defect } from '../transformation.ts';
import { entryOf, observing } from './observer.ts';
import type { Delivered, Entry, Listing } from './observer.ts';

const SINGLE = 'receiver.duplicate.single-effect';
const ORDER = 'receiver.order.not-by-arrival';
const NOT_REAL = 'receiver.test-event.not-real';
const REFUSED = 'receiver.refused.no-effect';
const ENDS = new Set<unknown>(TERMINAL_RUN_STATUSES);

/** Defects that only an observer shows. */
export const effectDefects: readonly Defect[] = [
  effect('handled-twice', 'Handles every event twice.', SINGLE, (handled) => [
    ...handled,
    ...handled,
  ]),
  effect('duplicates-handled', 'Handles every duplicate.', SINGLE, (handled, delivered) => [
    ...handled,
    ...again(delivered).map(({ event }) => entryOf(event)),
  ]),
  effect(
    'simultaneous-duplicates-handled',
    'Handles an event twice whose deliveries arrive at the same moment.',
    SINGLE,
    (handled, delivered) => [
      ...handled,
      ...accepted(delivered)
        .filter(({ isSimultaneous }) => isSimultaneous)
        .map(({ event }) => entryOf(event)),
    ],
  ),
  effect(
    'duplicates-after-the-end-handled',
    'Forgets the ids of a run when it ends, and handles their duplicates.',
    SINGLE,
    (handled, delivered) => [
      ...handled,
      ...again(delivered)
        .filter(({ event }) => hasEndedBefore(event.run['id'], event.id, delivered))
        .map(({ event }) => entryOf(event)),
    ],
  ),
  effect(
    'duplicates-of-moves-handled',
    'Detects duplicates of run.created only.',
    SINGLE,
    (handled, delivered) => [
      ...handled,
      ...again(delivered)
        .filter(({ event }) => event.previousStatus !== undefined)
        .map(({ event }) => entryOf(event)),
    ],
  ),
  ...RUN_STATUSES.filter((status) => !['created', 'pending', 'running'].includes(status)).map(
    (status) =>
      effect(`${status}-not-handled`, `Does not handle moves to ${status}.`, SINGLE, (handled) =>
        handled.filter((entry) => entry['status'] !== status || isCreation(entry)),
      ),
  ),
  effect(
    'agent-events-not-handled',
    'Does not handle agent runs.',
    SINGLE,
    (handled, delivered) => {
      const agents = idsOf(delivered.filter(({ event }) => event.run['type'] === 'agent'));
      return handled.filter(({ id }) => !agents.has(id));
    },
  ),
  effect(
    'omitted-output-not-handled',
    'Does not handle an event whose output was omitted.',
    'receiver.event.output',
    (handled, delivered) => {
      const omitted = delivered.filter(({ event }) => event.run['outputOmitted'] === true);
      return handled.filter(({ id }) => !idsOf(omitted).has(id));
    },
  ),
  effect('test-events-handled', 'Handles test events.', NOT_REAL, (handled, delivered) => [
    ...handled,
    ...tests(delivered).map(({ event }) => entryOf(event)),
  ]),
  effect(
    'test-moves-handled',
    'Handles test events of the type run.status_changed.',
    NOT_REAL,
    (handled, delivered) => [
      ...handled,
      ...tests(delivered)
        .filter(({ event }) => event.previousStatus !== undefined)
        .map(({ event }) => entryOf(event)),
    ],
  ),
  effect(
    'refused-events-handled',
    'Handles what it has refused.',
    REFUSED,
    (handled, delivered) => [
      ...handled,
      ...delivered
        .filter(({ event, isAccepted }) => !isAccepted && !event.test)
        .map(({ event }) => entryOf(event)),
    ],
  ),
  effect(
    'refused-events-remembered',
    'Takes a valid delivery for a duplicate of one that it has refused.',
    REFUSED,
    (handled, delivered) => {
      const refused = idsOf(delivered.filter(({ isAccepted }) => !isAccepted));
      return handled.filter(({ id }) => !refused.has(id));
    },
  ),
  effect('order-by-arrival', 'Handles events as they arrive.', ORDER, byArrival),
  effect(
    'end-left',
    'Handles events that arrive after the end of their run.',
    ORDER,
    (handled, delivered) => [...handled, ...late(handled, delivered)],
  ),
  effect(
    'order-by-arrival-at-one-moment',
    'Handles events with the same createdAt as they arrive.',
    ORDER,
    (handled, delivered) => {
      const together = new Set(
        delivered
          .filter(({ event }) => event.createdAt === event.run['createdAt'])
          .filter(({ event }) => event.previousStatus !== undefined)
          .map(({ event }) => event.run['id']),
      );
      const others = handled.filter(({ runId }) => !together.has(runId));
      const arrived = byArrival(handled, delivered).filter(({ runId }) => together.has(runId));
      return [...others, ...arrived];
    },
  ),
  effect('order-reversed', 'Lists the newest event first.', ORDER, (handled) =>
    handled.toReversed(),
  ),
];

function effect(id: string, does: string, breaks: string, listing: Listing): Defect {
  return { id, side: 'receiver', does, breaks, open: () => observing(listing) };
}

function accepted(delivered: readonly Delivered[]): readonly Delivered[] {
  return delivered.filter(({ event, isAccepted }) => isAccepted && !event.test);
}

function tests(delivered: readonly Delivered[]): readonly Delivered[] {
  return delivered.filter(({ event, isAccepted }) => isAccepted && event.test);
}

/** Accepted deliveries of an event that was accepted before. */
function again(delivered: readonly Delivered[]): readonly Delivered[] {
  const known = new Set<string>();
  return accepted(delivered).filter(({ event }) => {
    const isKnown = known.has(event.id);
    known.add(event.id);
    return isKnown;
  });
}

function idsOf(delivered: readonly Delivered[]): ReadonlySet<unknown> {
  return new Set(delivered.map(({ event }) => event.id));
}

function isCreation({ type }: Entry): boolean {
  return type === 'run.created';
}

/** Each accepted event once, in the order of arrival. */
function byArrival(_handled: readonly Entry[], delivered: readonly Delivered[]): readonly Entry[] {
  const entries = accepted(delivered).map(({ event }) => entryOf(event));
  return entries.filter(({ id }, place) => entries.findIndex((one) => one['id'] === id) === place);
}

/** The events that arrived after the end of their run, again. */
function late(handled: readonly Entry[], delivered: readonly Delivered[]): readonly Entry[] {
  const ended = new Set<unknown>();
  return byArrival(handled, delivered).filter(({ runId, status }) => {
    const isLate = ended.has(runId);
    if (ENDS.has(status)) ended.add(runId);
    return isLate;
  });
}

/** Whether the run had ended before the second delivery of the event. */
function hasEndedBefore(runId: unknown, id: string, delivered: readonly Delivered[]): boolean {
  const ofRun = accepted(delivered).filter(({ event }) => event.run['id'] === runId);
  const end = ofRun.findIndex(({ event }) => ENDS.has(event.run['status']));
  const last = ofRun.findLastIndex(({ event }) => event.id === id);
  return end >= 0 && end < last;
}
