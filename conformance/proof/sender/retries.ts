import { setTimeout as sleep } from 'node:timers/promises';

import { headerValue } from '@hookproof/conformance/hooks';

import { defect } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { respond } from '../kit/message.ts';
import { between, isChanged, onResponse } from '../kit/sender.ts';
import type { When } from '../kit/sender.ts';

const SUCCESS = 'delivery.success';
const OTHER_4XX = 'delivery.end.other-4xx';
const SERVER_ERROR = 'delivery.retry.5xx';
/** Shorter than the target's own timeout, and longer than a response takes. */
const TIMEOUT_MILLISECONDS = 100;

/** Responses that a sender treats as another one. The target's own sender then does the wrong thing. */
export const retryDefects: readonly Defect[] = [
  defect({
    id: 'retry-after-any-2xx',
    breaks: SUCCESS,
    does: 'Retries after every 2xx.',
    sender: retriesAfter((status) => status >= 200 && status <= 299),
  }),
  defect({
    id: 'retry-after-204',
    breaks: SUCCESS,
    does: 'Retries after 204.',
    sender: retriesAfter((status) => status === 204),
  }),
  defect({
    id: 'retry-after-any-4xx',
    breaks: OTHER_4XX,
    does: 'Retries after every 4xx.',
    sender: retriesAfter((status) => status >= 400 && status <= 499),
  }),
  defect({
    id: 'retry-after-409',
    breaks: OTHER_4XX,
    does: 'Retries after 409.',
    sender: retriesAfter((status) => status === 409),
  }),
  defect({
    id: 'retry-of-changes-after-4xx',
    breaks: OTHER_4XX,
    does: 'Retries a status change after every 4xx.',
    sender: retriesAfter((status) => status >= 400 && status <= 499, isChanged),
  }),
  defect({
    id: 'retry-after-2xx-with-body',
    breaks: SUCCESS,
    does: 'Retries after a 2xx that has a body.',
    sender: onResponse((response) =>
      response.status < 300 && response.bytes.length > 0 ? { ...response, status: 503 } : response,
    ),
  }),
  ...[408, 425, 429].flatMap((retried) => [
    defect({
      id: `end-after-${retried}`,
      breaks: `delivery.retry.${retried}`,
      does: `Ends delivery after ${retried}.`,
      sender: endsAfter((status) => status === retried),
    }),
    defect({
      id: `end-of-changes-after-${retried}`,
      breaks: `delivery.retry.${retried}`,
      does: `Ends the delivery of a status change after ${retried}.`,
      sender: endsAfter((status) => status === retried, isChanged),
    }),
  ]),
  defect({
    id: 'end-after-429-with-retry-after',
    breaks: 'delivery.retry.429',
    does: 'Ends delivery after 429 with Retry-After.',
    sender: onResponse((response) =>
      response.status === 429 && headerValue(response.headers, 'retry-after') !== undefined
        ? { ...response, status: 204 }
        : response,
    ),
  }),
  defect({
    id: 'end-after-malformed-retry-after',
    breaks: 'delivery.retry.429',
    does: 'Ends delivery after a Retry-After that it cannot read.',
    sender: onResponse((response) => {
      const wait = headerValue(response.headers, 'retry-after') ?? '0';
      return /^\d+$/.test(wait) ? response : { ...response, status: 204 };
    }),
  }),
  defect({
    id: 'end-after-5xx-with-body',
    breaks: SERVER_ERROR,
    does: 'Ends delivery after a 5xx with a body.',
    sender: onResponse((response) =>
      response.status >= 500 && response.bytes.byteLength > 0
        ? { ...response, status: 204 }
        : response,
    ),
  }),
  defect({
    id: 'end-after-any-5xx',
    breaks: SERVER_ERROR,
    does: 'Ends delivery after every 5xx.',
    sender: endsAfter((status) => status >= 500),
  }),
  defect({
    id: 'end-after-5xx-above-504',
    breaks: SERVER_ERROR,
    does: 'Ends delivery after a 5xx above 504.',
    sender: endsAfter((status) => status > 504),
  }),
  defect({
    id: 'end-of-changes-after-500',
    breaks: SERVER_ERROR,
    does: 'Ends the delivery of a status change after 500.',
    sender: endsAfter((status) => status === 500, isChanged),
  }),
  defect({
    id: 'end-after-network-failure',
    breaks: 'delivery.retry.network-failure',
    does: 'Ends delivery after a network failure.',
    sender: between((request, next) => next(request).catch(() => respond(204))),
  }),
  defect({
    id: 'end-after-timeout',
    breaks: 'delivery.retry.timeout',
    does: 'Ends delivery when no response arrives.',
    sender: between((request, next) =>
      Promise.race([
        next(request),
        sleep(TIMEOUT_MILLISECONDS, undefined, { ref: false }).then(() => respond(204)),
      ]),
    ),
  }),
];

function retriesAfter(isConcerned: (status: number) => boolean, when?: When): Open {
  return treating(isConcerned, 503, when);
}

function endsAfter(isConcerned: (status: number) => boolean, when?: When): Open {
  return treating(isConcerned, 204, when);
}

function treating(isConcerned: (status: number) => boolean, as: number, when?: When): Open {
  return onResponse(
    (response) => (isConcerned(response.status) ? { ...response, status: as } : response),
    when,
  );
}
