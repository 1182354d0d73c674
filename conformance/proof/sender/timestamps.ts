import { headerValue } from '@hookproof/conformance/hooks';
import type { Outgoing } from '@hookproof/conformance/hooks';

import { defect } from '../kit/defect.ts';
import type { Defect } from '../kit/defect.ts';
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

function timed(write: (seconds: number) => string): (delivery: Outgoing) => Outgoing {
  return (delivery) =>
    withHeader(
      delivery,
      'webhook-timestamp',
      write(Number(headerValue(delivery.headers, 'webhook-timestamp'))),
    );
}
