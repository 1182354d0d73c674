import type { HttpExchange } from '../http/exchange.ts';
import { headerValue } from '../http/message.ts';
import type { Side } from '../options/options.ts';
import type { Diagnosis } from './diagnosis.ts';

/** A violation as far as its cause can show in it. */
interface Symptom {
  readonly side: Side;
  readonly expected: string;
  readonly exchange: HttpExchange | null;
}

/** A cause that the response itself names. */
interface Observation extends Diagnosis {
  readonly seen: (facts: Facts) => boolean;
}

/** What the rules look at. */
interface Facts {
  readonly status: number;
  readonly html: boolean;
  readonly expected: string;
}

const API: readonly Observation[] = [
  {
    seen: ({ html, status }) => html && status >= 400,
    cause: 'The error is an HTML page, as a proxy or a framework writes it.',
    fix: 'Route this path to the API, and let its error handler write every error.',
  },
  {
    seen: ({ status, expected }) =>
      status >= 300 && status <= 399 && !expected.includes('redirect'),
    cause: 'The response is a redirect, as for a trailing slash, to https or to a login page.',
    fix: 'Serve the path without a redirect.',
  },
  {
    seen: ({ expected }) => expected.startsWith('x-request-id equal to requestId'),
    cause: 'Something in front of the API, such as a proxy, may write an x-request-id of its own.',
    fix: 'Let it pass on the x-request-id of the API, or let the API write the ID of the proxy into requestId.',
  },
  {
    seen: ({ status, expected }) => status === 500 && !expected.includes('500'),
    cause: 'The API reports an internal error for this request.',
    fix: 'Look up the error in the log of the target by the request ID of the response.',
  },
  {
    seen: ({ status, expected }) => (status === 415 || status === 411) && expected.includes('2xx'),
    cause: 'A filter of content types or lengths refuses the request.',
    fix: 'Let this operation accept the request without a body and without a content-type.',
  },
  {
    seen: ({ status, expected }) => status === 405 && !expected.includes('405'),
    cause: 'The path has no operation with this method.',
    fix: 'Serve the method of the request at this path.',
  },
];

/** The preflight has seen that the receiver accepts a valid delivery: its URL and its secret are right. */
const RECEIVER: readonly Observation[] = [
  {
    seen: ({ status, expected }) => status === 413 && expected.includes('2xx'),
    cause: 'The body limit of the receiver or its proxy is below the size of the delivery.',
    fix: 'Raise the limit for the webhook route.',
  },
  {
    seen: ({ status, expected }) => status >= 500 && expected.includes('2xx'),
    cause: 'The receiver reports an error of its own for this delivery.',
    fix: 'Look up the error in the log of the receiver; respond once the event is stored.',
  },
];

const OBSERVATIONS: Readonly<Record<Side, readonly Observation[]>> = {
  api: API,
  // A sender shows requests only, and a missing one has many causes.
  sender: [],
  receiver: RECEIVER,
};

/** The cause that the response of a violation names; null for none. */
export function observedCause({ side, expected, exchange }: Symptom): Diagnosis | null {
  const response = exchange?.response ?? null;
  if (response === null) return null;
  const type = headerValue(response.headers, 'content-type') ?? '';
  const html = type.toLowerCase().startsWith('text/html');
  const facts = { status: response.status, html, expected };
  const found = OBSERVATIONS[side].find(({ seen }) => seen(facts));
  return found === undefined ? null : { cause: found.cause, fix: found.fix };
}
