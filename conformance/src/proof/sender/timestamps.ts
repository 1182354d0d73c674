import type { Outgoing } from '../../http/message.ts';
import { headerValue } from '../../http/message.ts';
import { defect, variant } from '../kit/defect.ts';
import type { Defect, Variant } from '../kit/defect.ts';
import { withHeader } from '../kit/message.ts';
import { editDelivery, isRedelivered, isRetry, isTest } from '../kit/sender.ts';

const SECONDS = 'webhook-header.timestamp.seconds';
const SIGNING_TIME = 'webhook-header.timestamp.signing-time';

/** Timestamps of another form or of another time, signed. */
export const timestampDefects: readonly Defect[] = [
  defect({
    id: 'timestamp-milliseconds',
    breaks: SECONDS,
    does: 'The timestamp is in milliseconds.',
    sender: editDelivery(timed((seconds) => `${seconds * 1000}`)),
  }),
  defect({
    id: 'timestamp-fraction',
    breaks: SECONDS,
    does: 'The timestamp has a fraction.',
    sender: editDelivery(timed((seconds) => `${seconds}.250`)),
  }),
  defect({
    id: 'timestamp-minute-late',
    breaks: SIGNING_TIME,
    does: 'The timestamp is a minute late.',
    sender: editDelivery(timed((seconds) => `${seconds + 60}`)),
  }),
  defect({
    id: 'timestamp-early-on-redeliveries',
    breaks: SIGNING_TIME,
    does: 'The timestamp of a redelivery is 15 minutes early.',
    sender: editDelivery(
      timed((seconds) => `${seconds - 900}`),
      isRedelivered,
    ),
  }),
  defect({
    id: 'timestamp-early-on-test-events',
    breaks: SIGNING_TIME,
    does: 'The timestamp of a test event is a minute early.',
    sender: editDelivery(
      timed((seconds) => `${seconds - 60}`),
      isTest,
    ),
  }),
  defect({
    id: 'timestamp-of-first-attempt',
    breaks: SIGNING_TIME,
    does: 'A retry has the timestamp of the first attempt, and is signed with it.',
    sender: editDelivery((delivery, { event }) => {
      // The event was created when its first attempt was made.
      const created = Math.floor(Date.parse(String(event['createdAt'])) / 1000);
      return withHeader(delivery, 'webhook-timestamp', String(created));
    }, isRetry),
  }),
];

/** Timestamps of a clock that differs a little from that of the records. */
export const timestampVariants: readonly Variant[] = [-2, -1, 1, 2].map((seconds) =>
  variant({
    id: `timestamp-${seconds < 0 ? 'early' : 'late'}-by-${Math.abs(seconds)}-s`,
    takes: SIGNING_TIME,
    does: `Signs with a clock that differs by ${seconds} s from the one that records attempts.`,
    sender: editDelivery(timed((value) => `${value + seconds}`)),
  }),
);

function timed(write: (seconds: number) => string): (delivery: Outgoing) => Outgoing {
  return (delivery) =>
    withHeader(
      delivery,
      'webhook-timestamp',
      write(Number(headerValue(delivery.headers, 'webhook-timestamp'))),
    );
}
