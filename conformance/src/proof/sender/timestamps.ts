import type { Outgoing } from '../../http/message.ts';
import { headerValue } from '../../http/message.ts';
import { withHeader } from '../kit/message.ts';
import type { Defect, Variant } from '../kit/defect.ts';
import type { Seen, When } from './alter.ts';
import { defect, isAgent, isRedelivered, isRetry, isTest, signing, variant } from './alter.ts';

const SECONDS = 'webhook-header.timestamp.seconds';
const SIGNING_TIME = 'webhook-header.timestamp.signing-time';

/** Timestamps of another form or of another time, signed. */
export const timestampDefects: readonly Defect[] = [
  form('milliseconds', 'in milliseconds', (seconds) => `${seconds * 1000}`),
  form('microseconds', 'in microseconds', (seconds) => `${seconds * 1_000_000}`),
  form('iso-8601', 'an ISO 8601 time', (seconds) => new Date(seconds * 1000).toISOString()),
  form('http-date', 'an HTTP date', (seconds) => new Date(seconds * 1000).toUTCString()),
  form('fraction', 'a number with a fraction', (seconds) => `${seconds}.250`),
  form('exponent', 'a number with an exponent', (seconds) => seconds.toExponential()),
  form('hex', 'a hexadecimal number', (seconds) => `0x${seconds.toString(16)}`),
  form('negative', 'a negative number', (seconds) => `-${seconds}`),
  form('unit', 'a number with a unit', (seconds) => `${seconds}s`),
  form('zero', 'zero', () => '0'),
  form('plus', 'a number with a plus sign', (seconds) => `+${seconds}`),
  shifted('hour-early', 'an hour early', -3600),
  shifted('hour-late', 'an hour late', 3600),
  shifted('minute-early', 'a minute early', -60),
  shifted('minute-late', 'a minute late', 60),
  shifted('quarter-early-on-redeliveries', '15 minutes early on a redelivery', -900, isRedelivered),
  shifted('minute-early-on-test-events', 'a minute early on test events', -60, isTest),
  shifted('minute-early-for-agents', 'a minute early for runs of agents', -60, isAgent),
  defect(
    'timestamp-of-first-attempt',
    'A retry has the timestamp of the first attempt, and is signed with it.',
    SIGNING_TIME,
    signing(withFirstTime, isRetry),
  ),
  defect(
    'timestamp-truncated-to-minutes',
    'The timestamp is the begin of the hour before.',
    SIGNING_TIME,
    // That of the begun hour would be right at the full hour.
    signing(timed((seconds) => `${seconds - (seconds % 3600) - 3600}`)),
  ),
];

/** Timestamps of a clock that differs a little from that of the records. */
export const timestampVariants: readonly Variant[] = [-2, -1, 1, 2].map((seconds) =>
  variant(
    `timestamp-${seconds < 0 ? 'early' : 'late'}-by-${Math.abs(seconds)}-s`,
    `Signs with a clock that differs by ${seconds} s from the one that records attempts.`,
    SIGNING_TIME,
    signing(timed((value) => `${value + seconds}`)),
  ),
);

function form(name: string, what: string, write: (seconds: number) => string): Defect {
  return defect(`timestamp-${name}`, `The timestamp is ${what}.`, SECONDS, signing(timed(write)));
}

function shifted(name: string, what: string, by: number, when?: When): Defect {
  const change = timed((seconds) => `${seconds + by}`);
  return defect(
    `timestamp-${name}`,
    `The timestamp is ${what}.`,
    SIGNING_TIME,
    signing(change, when),
  );
}

function timed(write: (seconds: number) => string): (delivery: Outgoing) => Outgoing {
  return (delivery) => withHeader(delivery, 'webhook-timestamp', write(secondsOf(delivery)));
}

function secondsOf({ headers }: Outgoing): number {
  return Number(headerValue(headers, 'webhook-timestamp'));
}

/** The event was created when its first attempt was made. */
function withFirstTime(delivery: Outgoing, { event }: Seen): Outgoing {
  const created = Math.floor(Date.parse(String(event['createdAt'])) / 1000);
  return withHeader(delivery, 'webhook-timestamp', String(created));
}
