import type { HttpExchange } from '../http/exchange.ts';
import { headerValue, isSuccess } from '../http/message.ts';
import type { Side } from '../options/options.ts';
import type { Diagnosis, Symptom } from './diagnosis.ts';

/** A cause that shows in the exchange itself, and is more certain than that of the area. */
interface Observation extends Diagnosis {
  /** Beginnings of ids of requirements; empty for all. */
  readonly about: readonly string[];
  readonly seen: (facts: Facts) => boolean;
}

/** What the rules look at. */
interface Facts {
  readonly status: number;
  /** Whether the request has a key. */
  readonly withKey: boolean;
  readonly html: boolean;
  readonly method: string;
  readonly expected: string;
}

const API: readonly Observation[] = [
  {
    about: [],
    seen: ({ html, status }) => html && status >= 400,
    cause: 'The response is an HTML page: a proxy or the framework responded before the API did.',
    fix: 'Route this path to the API, and let its error handler write the response.',
  },
  {
    about: [],
    seen: ({ status, expected }) =>
      status >= 300 && status <= 399 && !expected.includes('redirect'),
    cause:
      'A redirect is sent before the API: for a trailing slash, for https, or to a login page.',
    fix: 'Serve the path without a redirect.',
  },
  {
    about: ['auth.missing-key', 'auth.every-operation'],
    seen: ({ status, withKey }) => !withKey && isSuccess({ status }),
    cause: 'The route is registered before the step that authenticates, or on a router without it.',
    fix: 'Register authentication before every route, and let only documented routes opt out.',
  },
  {
    about: ['auth.invalid-key', 'auth.every-operation'],
    seen: ({ status, withKey }) => withKey && isSuccess({ status }),
    cause: 'The key is checked for its presence or form only, and is not looked up.',
    fix: 'Look up the key in the store of keys, and respond with 401 when it is not there.',
  },
  {
    about: ['auth.missing-key', 'auth.invalid-key', 'auth.every-operation'],
    seen: ({ status }) => status === 400 || status === 404 || status === 422,
    cause: 'The request is validated or its resource looked up before the key is checked.',
    fix: 'Authenticate first: without a known key, respond with 401 whatever the request asks for.',
  },
  {
    about: ['auth.missing-key', 'auth.invalid-key', 'auth.every-operation'],
    seen: ({ status }) => status === 403,
    cause: 'An unknown caller is treated as a known one that lacks a scope.',
    fix: 'Respond with 401 without a known key, and with 403 only when a known key lacks the scope.',
  },
  {
    about: ['auth.tenant', 'template.list', 'agent.list'],
    seen: ({ status, method }) => isSuccess({ status }) && method !== 'GET',
    cause: 'The write finds the resource by its id alone, and accepts that of another tenant.',
    fix: 'Add the tenant of the key to the condition of the write, and respond with 404 when no row matches.',
  },
  {
    about: [],
    seen: ({ status, expected }) => status === 500 && !expected.includes('500'),
    cause: 'The handler throws for this request, and the error becomes a server error.',
    fix: 'Validate the request before it is used; the log of the target has the exception for this request id.',
  },
  {
    about: ['inbox.limit', 'template.limit', 'agent.limit', 'inbox.offset', 'template.offset'],
    seen: ({ status, expected }) => isSuccess({ status }) && /\b4(00|xx)\b/.test(expected),
    cause:
      'The value is moved into its range or parsed up to its first odd character, not refused.',
    fix: 'Parse the whole value as a decimal integer, and respond with 400 when it is outside the range.',
  },
  {
    about: [],
    seen: ({ status, expected }) => (status === 415 || status === 411) && expected.includes('2xx'),
    cause: 'A content-type or length filter refuses the request before its route.',
    fix: 'Let this operation accept the request without a body and without a content-type.',
  },
  {
    about: [],
    seen: ({ status, expected }) => status === 405 && !expected.includes('405'),
    cause: 'The route is registered with other methods.',
    fix: 'Register the method of the request for this path.',
  },
];

const SENDER: readonly Observation[] = [
  {
    about: ['delivery.retry'],
    seen: ({ status, expected }) => status >= 500 && isMissing(expected),
    cause: 'A 5xx of the receiver ends the delivery.',
    fix: 'Schedule another attempt after every status from 500 to 599.',
  },
  {
    about: ['delivery.retry'],
    seen: ({ status, expected }) => [408, 425, 429].includes(status) && isMissing(expected),
    cause: 'Every 4xx ends the delivery, those included that ask for another attempt.',
    fix: 'Schedule another attempt after 408, 425 and 429.',
  },
];

/** The preflight has seen that the receiver accepts a valid delivery: its URL and its secret are right. */
const RECEIVER: readonly Observation[] = [
  {
    about: [],
    seen: ({ status, expected }) => status === 413 && expected.includes('2xx'),
    cause: 'The body limit of the receiver or its proxy is below the size of the delivery.',
    fix: 'Raise the limit for the webhook route.',
  },
  {
    about: [],
    seen: ({ status, expected }) => status >= 500 && expected.includes('2xx'),
    cause: 'The handler throws for this delivery before it responds.',
    fix: 'Look up the exception in the log of the receiver; respond once the event is stored.',
  },
];

const OBSERVATIONS: Readonly<Record<Side, readonly Observation[]>> = {
  api: API,
  sender: SENDER,
  receiver: RECEIVER,
};

/** The first observation that fits the violation; null without one. */
export function observedCause(symptom: Symptom): Diagnosis | null {
  const facts = factsOf(symptom);
  if (facts === null) return null;
  const found = OBSERVATIONS[symptom.side].find(
    ({ about, seen }) => isAbout(about, symptom.requirement) && seen(facts),
  );
  return found === undefined ? null : { cause: found.cause, fix: found.fix };
}

function factsOf({ exchange, expected }: Symptom): Facts | null {
  if (exchange?.response == null) return null;
  const { request, response } = exchange;
  return {
    status: response.status,
    withKey: headerValue(request.headers, 'authorization') !== undefined,
    html: isHtml(exchange),
    method: request.method,
    expected,
  };
}

function isHtml({ response }: HttpExchange): boolean {
  const type = response === null ? undefined : headerValue(response.headers, 'content-type');
  return type?.toLowerCase().startsWith('text/html') === true;
}

function isAbout(about: readonly string[], requirement: string): boolean {
  return (
    about.length === 0 || about.some((id) => requirement === id || requirement.startsWith(`${id}.`))
  );
}

/** Whether the violation is about something that did not come. */
function isMissing(expected: string): boolean {
  return expected.includes('attempt');
}
