import { defect, perRun } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { withBytes } from '../kit/message.ts';
import type { Fields } from '../kit/message.ts';
import {
  editDelivery,
  editEvent,
  isChanged,
  isCreated,
  isReal,
  isRedelivered,
  isRetry,
  isTest,
  onDelivery,
  runIn,
  withEventId,
} from '../kit/sender.ts';
import type { When } from '../kit/sender.ts';

const FIELDS = 'webhook-envelope.fields';
const VERSION = 'versioning.webhook.api-version';
const CREATED_AT = 'webhook-envelope.created-at';
const CREATED_AT_ORDER = 'webhook-envelope.created-at.order';
const PREFIX = 'webhook-envelope.id.prefix';
const KEY = 'webhook-envelope.id.idempotency-key';
const REAL = 'webhook-envelope.test.false-for-real-runs';
const RETRIED = 'delivery.retry.same-payload';

/** Envelopes with other members, and events whose identity changes. */
export const envelopeDefects: readonly Defect[] = [
  defect({
    id: 'event-created-at-missing',
    breaks: FIELDS,
    does: 'An event has no createdAt.',
    sender: editEvent((event) => delete event['createdAt']),
  }),
  defect({
    id: 'event-test-as-string',
    breaks: FIELDS,
    does: 'test of an event is a string.',
    sender: editEvent((event) => (event['test'] = String(event['test']))),
  }),
  defect({
    id: 'event-without-run',
    breaks: FIELDS,
    does: 'An event has no run.',
    sender: editEvent((event) => delete Object(event['data'])['run']),
  }),
  defect({
    id: 'event-type-of-changes-other',
    breaks: FIELDS,
    does: 'A status change has the type run.updated.',
    sender: editEvent((event) => (event['type'] = 'run.updated'), isChanged),
  }),
  defect({
    id: 'event-api-version-other',
    breaks: VERSION,
    does: 'Events have the apiVersion 2025-01-01.',
    sender: editEvent((event) => (event['apiVersion'] = '2025-01-01')),
  }),
  defect({
    id: 'event-api-version-other-on-test-events',
    breaks: VERSION,
    does: 'Test events have the apiVersion 2025-01-01.',
    sender: editEvent((event) => (event['apiVersion'] = '2025-01-01'), isTest),
  }),
  defect({
    id: 'event-created-at-epoch-text',
    breaks: CREATED_AT,
    does: 'createdAt of an event is a number of milliseconds in a string.',
    sender: editEvent(
      (event) => (event['createdAt'] = String(Date.parse(String(event['createdAt'])))),
    ),
  }),
  defect({
    id: 'event-id-prefix-evt',
    breaks: PREFIX,
    does: 'The id of an event starts with evt_.',
    sender: idOf((id) => id.replace('whev_', 'evt_')),
  }),
  defect({
    id: 'event-id-of-status',
    breaks: KEY,
    does: 'The event id is derived from the run and its status.',
    sender: idOf(
      (_id, event) => `whev_${String(runIn(event)['id'])}${String(runIn(event)['status'])}`,
    ),
  }),
  defect({
    id: 'event-id-new-on-retries',
    breaks: KEY,
    does: 'A retry has another event id.',
    sender: idOf((id) => `${id}1`, isRetry),
  }),
  defect({
    id: 'event-id-new-on-redelivery',
    breaks: 'delivery.redelivery.same-id',
    does: 'A redelivery has another event id.',
    sender: idOf((id) => `${id}2`, isRedelivered),
  }),
  defect({
    id: 'redelivery-as-a-new-event',
    breaks: 'delivery.redelivery.same-id',
    does: 'A redelivery is a new event, with an id and a time of its own.',
    sender: onDelivery(
      (delivery, seen) =>
        withEventId(delivery, seen, `${String(seen.event['id'])}r`, (event) => {
          event['createdAt'] = new Date(
            Date.parse(String(event['createdAt'])) + 60_000,
          ).toISOString();
        }),
      isRedelivered,
    ),
  }),
  defect({
    id: 'event-created-at-of-the-run',
    breaks: CREATED_AT_ORDER,
    does: 'createdAt of every event is that of its run.',
    sender: editEvent((event) => (event['createdAt'] = runIn(event)['createdAt']), isReal),
  }),
  defect({
    id: 'event-created-at-backwards',
    breaks: CREATED_AT_ORDER,
    does: 'createdAt of a later event of a run is an earlier time.',
    sender: perRun(() => {
      const places = new Map<string, number>();
      const counts = new Map<unknown, number>();
      return editEvent((event) => {
        const id = String(event['id']);
        const run = runIn(event)['id'];
        const place = places.get(id) ?? counts.get(run) ?? 0;
        if (!places.has(id)) counts.set(run, place + 1);
        places.set(id, place);
        const time = Date.parse(String(event['createdAt'])) - place * 60_000;
        event['createdAt'] = new Date(time).toISOString();
      }, isReal);
    }),
  }),
  defect({
    id: 'event-body-id-new-on-retries',
    breaks: 'webhook-header.id.equals-body',
    does: 'A retry has another id in its body.',
    sender: editEvent((event) => (event['id'] = `${String(event['id'])}3`), isRetry),
  }),
  defect({
    id: 'event-test-true',
    breaks: REAL,
    does: 'Events of real runs have test true.',
    sender: editEvent((event) => (event['test'] = true), isReal),
  }),
  defect({
    id: 'event-started-at-new-on-retry',
    breaks: RETRIED,
    does: 'A retry of a creation shows the run as started.',
    sender: editEvent(
      (event) => (runIn(event)['startedAt'] = '2030-01-01T00:00:00.000Z'),
      (seen) => isRetry(seen) && isCreated(seen),
    ),
  }),
  defect({
    id: 'event-created-at-redelivery',
    breaks: 'delivery.redelivery.same-payload',
    does: 'A redelivery has its own time as createdAt.',
    sender: editEvent((event) => (event['createdAt'] = '2030-01-01T00:00:00.000Z'), isRedelivered),
  }),
  defect({
    id: 'event-pretty-on-redelivery',
    breaks: 'delivery.redelivery.same-bytes',
    does: 'A redelivery has other white space.',
    sender: editDelivery(
      (delivery, { event }) => withBytes(delivery, Buffer.from(JSON.stringify(event, null, 2))),
      isRedelivered,
    ),
  }),
  defect({
    id: 'body-empty',
    breaks: FIELDS,
    does: 'The body of a delivery is empty.',
    sender: bodyAs(() => ''),
  }),
];

/** The same other id in body and header. */
function idOf(write: (id: string, event: Fields) => string, when?: When): Open {
  return onDelivery(
    (delivery, seen) =>
      withEventId(delivery, seen, write(String(seen.event['id']), { ...seen.event })),
    when,
  );
}

function bodyAs(write: (text: string) => string): Open {
  return editDelivery((delivery) =>
    withBytes(delivery, Buffer.from(write(Buffer.from(delivery.body ?? []).toString('utf8')))),
  );
}
