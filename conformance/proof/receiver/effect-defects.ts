import { chain } from '@hookproof/conformance/hooks';
import { TERMINAL_RUN_STATUSES } from '@hookproof/spec';

import { defect, perRun } from '../kit/defect.ts';
import type { Defect } from '../kit/defect.ts';
import { respond } from '../kit/message.ts';
import { editHandled, entryOf, eventOf, onRequest, onResponse } from '../kit/receiver.ts';
import type { Delivered, Entry } from '../kit/receiver.ts';

const SINGLE = 'receiver.duplicate.single-effect';
const ORDER = 'receiver.order.not-by-arrival';
const NOT_REAL = 'receiver.test-event.not-real';
const REFUSED = 'receiver.refused.no-effect';
const ENDS = new Set<unknown>(TERMINAL_RUN_STATUSES);

/** Defects that only an observer shows. */
export const effectDefects: readonly Defect[] = [
  defect({
    id: 'handled-twice',
    breaks: SINGLE,
    does: 'Handles every event twice.',
    receiver: editHandled((handled) => [...handled, ...handled]),
  }),
  defect({
    id: 'agent-events-handled-twice',
    breaks: SINGLE,
    does: 'Handles every event of an agent run twice.',
    receiver: editHandled((handled, delivered) => {
      const agents = delivered.filter(({ event }) => event.run['type'] === 'agent');
      const ids = new Set<unknown>(agents.map(({ event }) => event.id));
      return [...handled, ...handled.filter(({ id }) => ids.has(id))];
    }),
  }),
  defect({
    id: 'duplicates-handled',
    breaks: SINGLE,
    does: 'Handles every duplicate.',
    receiver: editHandled((handled, delivered) => [...handled, ...entriesOf(again(delivered))]),
  }),
  defect({
    id: 'simultaneous-duplicates-handled',
    breaks: SINGLE,
    does: 'Handles an event twice if its deliveries arrive at the same moment.',
    receiver: editHandled((handled, delivered) => [
      ...handled,
      ...entriesOf(accepted(delivered).filter(({ isSimultaneous }) => isSimultaneous)),
    ]),
  }),
  defect({
    id: 'duplicates-after-the-end-handled',
    breaks: SINGLE,
    does: 'Evicts the ids of a run when it ends, and handles their duplicates.',
    receiver: editHandled((handled, delivered) => [
      ...handled,
      ...entriesOf(
        again(delivered).filter(({ event }) =>
          hasEndedBefore(event.run['id'], event.id, delivered),
        ),
      ),
    ]),
  }),
  defect({
    id: 'duplicates-handled-after-seconds',
    breaks: SINGLE,
    does: 'Forgets an id after five seconds, and handles its duplicates from then on.',
    receiver: editHandled((handled, delivered) => [
      ...handled,
      ...entriesOf(again(delivered).filter((one) => isMuchLater(one, delivered))),
    ]),
  }),
  defect({
    id: 'duplicates-by-status',
    breaks: SINGLE,
    does: 'Takes a second change of a run into a status for a duplicate.',
    receiver: editHandled((handled) =>
      withoutRepeats(handled, ({ runId, status }) => `${String(runId)} ${String(status)}`),
    ),
  }),
  defect({
    id: 'duplicates-by-transition',
    breaks: SINGLE,
    does: 'Takes a second change of a run between the same statuses for a duplicate.',
    receiver: editHandled((handled, delivered) => {
      const before = new Map<unknown, unknown>(
        delivered.map(({ event }) => [event.id, event.previousStatus]),
      );
      return withoutRepeats(handled, ({ id, runId, status }) =>
        [runId, before.get(id), status].map(String).join(' '),
      );
    }),
  }),
  defect({
    id: 'non-ascii-not-handled',
    breaks: 'receiver.event.output',
    does: 'Accepts an event beyond ASCII, and fails to handle it.',
    receiver: editHandled((handled, delivered) => {
      const beyond = delivered.filter(({ event }) => /[^\0-\x7f]/.test(JSON.stringify(event.run)));
      return handled.filter(({ id }) => !idsOf(beyond).has(id));
    }),
  }),
  defect({
    id: 'events-of-one-moment-lost',
    breaks: ORDER,
    does: 'Ignores an event that is not newer than the last one of its run.',
    receiver: editHandled((handled, delivered) => {
      const times = new Map<unknown, unknown>(
        delivered.map(({ event }) => [event.id, event.createdAt]),
      );
      return withoutRepeats(
        handled,
        ({ id, runId }) => `${String(runId)} ${String(times.get(id))}`,
      );
    }),
  }),
  defect({
    id: 'nothing-handled',
    breaks: SINGLE,
    does: 'Accepts every event and handles none.',
    receiver: editHandled(() => []),
  }),
  defect({
    id: 'duplicates-by-truncated-id',
    breaks: SINGLE,
    does: 'Compares all characters of an event id but the last.',
    receiver: editHandled((handled, delivered) => {
      const entries = byArrival(handled, delivered);
      const starts = entries.map(({ id }) => String(id).slice(0, -1));
      return entries.filter((_event, index) => starts.indexOf(starts[index] ?? '') === index);
    }),
  }),
  defect({
    id: 'failed-attempt-remembered',
    breaks: SINGLE,
    does: 'Responds 500 to the first attempt of every seventh event, and takes the next one for a duplicate.',
    receiver: perRun(() => {
      const seen = new Set<string>();
      const failed = new Set<unknown>();
      const fails = onRequest((_request, event) => {
        if (event === null || event.test || seen.has(event.id)) return null;
        seen.add(event.id);
        if (seen.size % 7 !== 0) return null;
        failed.add(event.id);
        return respond(500);
      });
      const loses = editHandled((handled) => handled.filter(({ id }) => !failed.has(id)));
      return (knowledge) => chain([fails(knowledge), loses(knowledge)]);
    }),
  }),
  defect({
    id: 'omitted-output-not-handled',
    breaks: 'receiver.event.output',
    does: 'Ignores an event whose output was omitted.',
    receiver: editHandled((handled, delivered) => {
      const omitted = delivered.filter(({ event }) => event.run['outputOmitted'] === true);
      return handled.filter(({ id }) => !idsOf(omitted).has(id));
    }),
  }),
  defect({
    id: 'test-changes-handled',
    breaks: NOT_REAL,
    does: 'Handles test events of the type run.status_changed like real ones.',
    receiver: editHandled((handled, delivered) => [
      ...handled,
      ...entriesOf(
        delivered.filter(
          ({ event, isAccepted }) => isAccepted && event.test && event.previousStatus !== undefined,
        ),
      ),
    ]),
  }),
  defect({
    id: 'refused-events-handled',
    breaks: REFUSED,
    does: 'Handles events that it has refused.',
    receiver: editHandled((handled, delivered) => [
      ...handled,
      ...entriesOf(delivered.filter(({ event, isAccepted }) => !isAccepted && !event.test)),
    ]),
  }),
  defect({
    id: 'real-cancellations-unverified',
    breaks: REFUSED,
    does: 'Accepts a change to cancelled whatever its signature, unless it is a test.',
    receiver: onResponse('refused', (response, request) => {
      const event = eventOf(request);
      const isCancellation = event?.test === false && event.run['status'] === 'cancelled';
      return isCancellation ? respond(200) : response;
    }),
  }),
  defect({
    id: 'refused-events-remembered',
    breaks: REFUSED,
    does: 'Takes a valid delivery for a duplicate of one that it has refused.',
    receiver: editHandled((handled, delivered) => {
      const refused = idsOf(delivered.filter(({ isAccepted }) => !isAccepted));
      return handled.filter(({ id }) => !refused.has(id));
    }),
  }),
  defect({
    id: 'order-by-arrival',
    breaks: ORDER,
    does: 'Handles events in the order of their arrival.',
    receiver: editHandled(byArrival),
  }),
  defect({
    id: 'events-after-the-end-handled-last',
    breaks: ORDER,
    does: 'Handles events that arrive after the end of their run.',
    receiver: editHandled((handled, delivered) => [...handled, ...late(handled, delivered)]),
  }),
  defect({
    id: 'order-by-arrival-at-one-moment',
    breaks: ORDER,
    does: 'Handles events with the same createdAt in the order of their arrival.',
    receiver: editHandled((handled, delivered) => {
      const together = new Set(
        delivered
          .filter(({ event }) => event.createdAt === event.run['createdAt'])
          .filter(({ event }) => event.previousStatus !== undefined)
          .map(({ event }) => event.run['id']),
      );
      const others = handled.filter(({ runId }) => !together.has(runId));
      const arrived = byArrival(handled, delivered).filter(({ runId }) => together.has(runId));
      return [...others, ...arrived];
    }),
  }),
  defect({
    id: 'last-write-wins-until-the-end',
    breaks: ORDER,
    does: 'Handles events as they arrive, and ignores those after the end of their run.',
    receiver: editHandled((handled, delivered) => {
      const tooLate = new Set(late(handled, delivered).map(({ id }) => id));
      return byArrival(handled, delivered).filter(({ id }) => !tooLate.has(id));
    }),
  }),
  defect({
    id: 'order-reversed',
    breaks: ORDER,
    does: 'Lists the newest event first.',
    receiver: editHandled((handled) => handled.toReversed()),
  }),
];

/** The first entry of each key. */
function withoutRepeats(
  handled: readonly Entry[],
  keyOf: (entry: Entry) => string,
): readonly Entry[] {
  const known = new Set<string>();
  return handled.filter((entry) => {
    const isKnown = known.has(keyOf(entry));
    known.add(keyOf(entry));
    return !isKnown;
  });
}

const MUCH_LATER_MILLISECONDS = 5_000;

function isMuchLater({ event, arrivedAt }: Delivered, delivered: readonly Delivered[]): boolean {
  const first = accepted(delivered).find((one) => one.event.id === event.id);
  return first !== undefined && arrivedAt - first.arrivedAt > MUCH_LATER_MILLISECONDS;
}

function entriesOf(delivered: readonly Delivered[]): readonly Entry[] {
  return delivered.map(({ event }) => entryOf(event));
}

function accepted(delivered: readonly Delivered[]): readonly Delivered[] {
  return delivered.filter(({ event, isAccepted }) => isAccepted && !event.test);
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

/** Each accepted event once, in the order of arrival. */
function byArrival(_handled: readonly Entry[], delivered: readonly Delivered[]): readonly Entry[] {
  const entries = entriesOf(accepted(delivered));
  return entries.filter(({ id }, index) => entries.findIndex((one) => one['id'] === id) === index);
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
