import { SIGNATURE_PREFIX } from '@hookproof/spec';
import { createHmac } from 'node:crypto';

import type { ApiResponse } from '../clients/api-client.ts';
import type { ReceiverClient, ReceiverRequest } from '../clients/receiver-client.ts';
import type { Diagnosis } from '../diagnosis/diagnosis.ts';
import { receiverCode } from '../diagnosis/receiver-code.ts';
import { COMMON_HEADERS, signDelivery } from '../signing/delivery.ts';
import { runEvent, testEvent } from '../signing/run-event.ts';
import type { SuiteEvent } from '../signing/run-event.ts';
import { keyBytes, readingsOf } from '../signing/signer.ts';
import type { KeyReading } from '../signing/signer.ts';
import { isRecord, isSuccess } from '../http/message.ts';

/** Why a receiver refuses every valid delivery. */
export interface RefusalOfValid {
  /** The response to a valid delivery; null: the connection was closed without one. */
  readonly response: ApiResponse | null;
  readonly diagnosis: Diagnosis;
  /** What to tell the suite, when only the key differs, which the contract leaves open; else null. */
  readonly remedy: string | null;
  /** Whether real events are accepted, so that only test events are refused. */
  readonly isAboutTests: boolean;
}

/** Sends a delivery; null without a response. */
type Send = (request: ReceiverRequest) => Promise<ApiResponse | null>;

/** One other way to sign, and what it would mean if the receiver accepted it. */
interface Hypothesis {
  readonly diagnosis: Diagnosis;
  readonly remedy?: string;
  readonly key: Buffer;
  readonly timestamp?: (seconds: number) => string;
  readonly message?: (id: string, timestamp: string, body: string) => string;
  readonly digest?: 'hex' | 'base64';
  readonly header?: (digest: string) => string;
}

const RAW =
  'Read the raw body before a JSON parser does (express.raw, request.text()), verify it, and parse it afterwards.';
const TESTS_REFUSED: Diagnosis = {
  cause: 'The receiver accepts real events and refuses test events.',
  fix: 'Respond with a 2xx to a test event whose signature is valid, and skip the effect.',
};
const CONVERT =
  'Compare the 64 hex digits after v1, as they are, or turn them into Base64 before they reach the library.';

/**
 * Looks for the reason of a receiver that refuses valid deliveries: signs the same event in other ways until one is
 * accepted. What is refused too is no reason.
 */
export async function reasonOfRefusal(
  response: ApiResponse | null,
  receiver: ReceiverClient,
  send: Send,
  now: () => number,
  mayBeReal: boolean,
): Promise<RefusalOfValid> {
  const seen = response === null ? null : seenIn(response);
  if (seen !== null) return { response, diagnosis: seen, remedy: null, isAboutTests: false };
  if (mayBeReal && isAccepted(await send(realDelivery(receiver, now())))) {
    return { response, diagnosis: TESTS_REFUSED, remedy: null, isAboutTests: true };
  }
  for (const [index, hypothesis] of hypothesesFor(receiver).entries()) {
    const { diagnosis, remedy = null, ...way } = hypothesis;
    // A receiver may remember the ids that it has refused.
    const at = now();
    const event = testEvent(`suitereason${index}x${at}`, at);
    const accepted = await send(signedBy(way, event, Math.floor(at / 1000)));
    if (isAccepted(accepted)) {
      return { response, diagnosis, remedy, isAboutTests: false };
    }
  }
  return {
    response,
    diagnosis: unexplained(response, mayBeReal),
    remedy: null,
    isAboutTests: false,
  };
}

function isAccepted(response: ApiResponse | null): boolean {
  return response !== null && isSuccess(response);
}

/** The creation of a run that is no test. */
function realDelivery(receiver: ReceiverClient, at: number): ReceiverRequest {
  const event = runEvent({ name: `suitereal${at}`, test: false, status: 'pending', at });
  return signDelivery(event, receiver, Math.floor(at / 1000));
}

/** What the response itself explains: nothing was verified. */
function seenIn(response: ApiResponse): Diagnosis | null {
  const { status } = response;
  const own = receiverCode(response);
  // With another key or message, the signature could match.
  if (own !== null && own.code !== 'signature_mismatch') return own.diagnosis;
  const location = response.header('location');
  if (status === 404 || status === 405) {
    return {
      cause: 'The receiver URL leads to no route for POST.',
      fix: 'Pass the whole URL of the webhook route with --receiver, and accept POST there.',
    };
  }
  if (status >= 300 && status <= 399 && location !== undefined) {
    return {
      cause: `The receiver URL redirects to ${location}, and deliveries do not follow redirects.`,
      fix: 'Pass the URL that the redirect leads to.',
    };
  }
  if (status !== 415) return null;
  return {
    cause: 'The route does not accept application/json.',
    fix: 'Accept the media type application/json on the webhook route.',
  };
}

function unexplained(response: ApiResponse | null, mayBeReal: boolean): Diagnosis {
  const excluded =
    'It also refuses other keys made of the same secret, a Base64 digest, other signed messages, an empty body, and a body that was parsed and serialized again in one of the usual ways: none of these is the cause.';
  const own = response === null ? null : receiverCode(response);
  if (own !== null) return own.diagnosis;
  if (response === null || response.status > 499) {
    return {
      cause: `The handler fails before it responds. ${excluded}`,
      fix: 'Look up the exception in the log of the receiver.',
    };
  }
  return {
    cause: `The receiver has another secret, ${mayBeReal ? '' : 'refuses test events, '}or something refuses the request before the signature is verified. ${excluded}`,
    fix: 'Compare the secret of the receiver with --secret, look at its clock, and look for authentication, CSRF protection or an address filter on the route.',
  };
}

/** Most likely first. */
function hypothesesFor({ secret, secretEncoding }: ReceiverClient): readonly Hypothesis[] {
  const key = keyBytes(secret, secretEncoding);
  const readings = readingsOf(secret).filter((reading) => !reading.key.equals(key));
  const all = [{ what: 'the configured key', key }, ...readings];
  return [
    ...readings.map((reading): Hypothesis => ({
      key: reading.key,
      remedy: reading.option ?? 'a receiver that takes the whole secret as its key',
      diagnosis: {
        cause: `The receiver takes ${reading.what} as its key.`,
        fix: 'Use the key bytes that your sender uses: the contract leaves them open.',
      },
    })),
    ...all.map((reading): Hypothesis => ({
      key: reading.key,
      digest: 'base64',
      diagnosis: {
        cause: `The receiver expects the digest in Base64${asKey(reading, key)}, as libraries such as standardwebhooks and svix do. The contract sends it in hex.`,
        fix: CONVERT,
      },
    })),
    ...all.flatMap((reading) => otherMessages(reading, key)),
    ...PARSED_BODIES.map(([cause, bodyOf]) => overBody(key, bodyOf, { cause, fix: RAW })),
    ...SERIALIZED_AGAIN.map(([how, serialized]) =>
      overBody(key, (body) => serialized(JSON.parse(body)), {
        cause: `The receiver verifies the body after parsing it and serializing it with ${how}.`,
        fix: `Verify the raw bytes in place of JSON with ${how}. ${RAW}`,
      }),
    ),
    {
      key,
      header: (digest) => SIGNATURE_PREFIX + digest.toUpperCase(),
      remedy: 'a receiver that takes hex digits in lower case',
      diagnosis: {
        cause: 'The receiver takes hex digits in upper case only.',
        fix: 'Compare the digests as bytes: the contract leaves the case of the digits open.',
      },
    },
    {
      key,
      timestamp: (seconds) => String(seconds * 1_000),
      diagnosis: {
        cause: 'The receiver compares webhook-timestamp with a clock in milliseconds.',
        fix: 'webhook-timestamp is in seconds: divide the current time by 1000 before you compare.',
      },
    },
    ...HEADERS.map(([form, header]): Hypothesis => ({
      key,
      header,
      diagnosis: {
        cause: `The receiver expects webhook-signature in the form ${form}.`,
        fix: 'Take the hex digest that follows v1, in webhook-signature.',
      },
    })),
  ];
}

function overBody(key: Buffer, bodyOf: (body: string) => string, diagnosis: Diagnosis): Hypothesis {
  return {
    key,
    message: (id, timestamp, body) => `${id}.${timestamp}.${bodyOf(body)}`,
    diagnosis,
  };
}

function asKey({ what, key }: Pick<KeyReading, 'what' | 'key'>, configured: Buffer): string {
  return key.equals(configured) ? '' : `, with ${what} as the key`;
}

function otherMessages(reading: Pick<KeyReading, 'what' | 'key'>, key: Buffer): Hypothesis[] {
  const messages = [
    [
      '<timestamp>.<body>',
      (_id: string, timestamp: string, body: string) => `${timestamp}.${body}`,
    ],
    ['<body>', (_id: string, _timestamp: string, body: string) => body],
    ['<id>.<body>', (id: string, _timestamp: string, body: string) => `${id}.${body}`],
  ] as const;
  return messages.flatMap(([form, message]) =>
    (['hex', 'base64'] as const).map((digest) => ({
      key: reading.key,
      digest,
      message,
      diagnosis: {
        cause: `The receiver verifies ${form}${asKey(reading, key)}${digest === 'hex' ? '' : ', with a Base64 digest'}, as another platform signs it.`,
        fix: 'Verify <webhook-id>.<webhook-timestamp>.<raw body>, and compare with the hex digest after v1,.',
      },
    })),
  );
}

/** What a receiver verifies that has parsed the body before. */
const PARSED_BODIES: readonly (readonly [cause: string, bodyOf: (body: string) => string])[] = [
  ['The receiver verifies an empty body: a parser has read the stream before.', () => ''],
  [
    'The receiver verifies the text "[object Object]": a parser has replaced the body by an object.',
    () => '[object Object]',
  ],
  ['The receiver verifies the text "undefined" in place of the body.', () => 'undefined'],
];

/** How a parsed body is written again. */
const SERIALIZED_AGAIN: readonly (readonly [how: string, write: (value: unknown) => string])[] = [
  ['an indentation of 2, as JSON.stringify(body, null, 2)', (value) => indented(value, 2)],
  ['an indentation of 4, as JSON.stringify(body, null, 4)', (value) => indented(value, 4)],
  ['an indentation by tabs', (value) => indented(value, '\t')],
  ['blanks after colons and commas, as json.dumps', withBlanks],
  ['blanks and sorted members, as json.dumps with sort_keys', (value) => withBlanks(sorted(value))],
  ['sorted members, as many libraries do', (value) => JSON.stringify(sorted(value))],
  ['a newline at its end', (value) => `${JSON.stringify(value)}\n`],
];

function indented(value: unknown, by: number | string): string {
  return JSON.stringify(value, null, by);
}

/** The value with the members of each object in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}

/** The events of this preflight have no colon or comma followed by a quote or brace inside a text. */
function withBlanks(value: unknown): string {
  return indented(value, 1).replaceAll(/,\n */g, ', ').replaceAll(/\n */g, '');
}

const HEADERS: readonly (readonly [form: string, header: (digest: string) => string])[] = [
  ['<hex digest>', (digest) => digest],
  ['sha256=<hex digest>', (digest) => `sha256=${digest}`],
  ['v1=<hex digest>', (digest) => `v1=${digest}`],
];

function signedBy(
  way: Omit<Hypothesis, 'diagnosis' | 'remedy'>,
  { id, body }: SuiteEvent,
  seconds: number,
): ReceiverRequest {
  const {
    key,
    timestamp: timestampOf = String,
    message = (...parts: readonly string[]) => parts.join('.'),
    digest: encoding = 'hex',
    header = (digest: string) => SIGNATURE_PREFIX + digest,
  } = way;
  const timestamp = timestampOf(seconds);
  const digest = createHmac('sha256', key)
    .update(message(id, timestamp, body))
    .digest(encoding);
  return {
    headers: [
      ...COMMON_HEADERS,
      ['webhook-id', id],
      ['webhook-timestamp', timestamp],
      ['webhook-signature', header(digest)],
    ],
    body,
  };
}
