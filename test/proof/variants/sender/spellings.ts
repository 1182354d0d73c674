import type { HeaderPair } from '@hookproof/conformance/hooks';
import { variant } from '@hookproof/conformance/proof/kit/defect';
import type { Open, Variant } from '@hookproof/conformance/proof/kit/defect';
import { withBytes, withHeader } from '@hookproof/conformance/proof/kit/message';
import type { Fields } from '@hookproof/conformance/proof/kit/message';
import {
  dataIn,
  editDelivery,
  editEvent,
  editRun,
  onDelivery,
  runIn,
} from '@hookproof/conformance/proof/kit/sender';

const HEADERS = 'webhook-header.post';
const MEMBERS = 'versioning.wire.extra-members';
const TIMES = 'versioning.wire.timestamp-format';
const JSON_BODY = 'webhook-envelope.fields';

const MEDIA_TYPES = [
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/JSON',
  'application/json; charset="utf-8"',
  'application/json ; profile=x',
];

const USER_AGENTS = [
  'Platform',
  'Platform/0.10.2 (webhooks; +https://example.com)',
  'node',
  'Ünï/1'.normalize('NFC').replaceAll(/[^\0-\x7f]/g, '.'),
];

/** Forms of ISO 8601, for the times of the event and of its run. */
const TIME_FORMS: readonly (readonly [id: string, what: string, write: (iso: string) => string])[] =
  [
    ['whole-seconds', 'without a fraction', (iso) => iso.replace(/\.\d+/, '')],
    ['microseconds', 'with microseconds', (iso) => iso.replace(/\.(\d+)/, '.$1123')],
    ['nanoseconds', 'with nanoseconds', (iso) => iso.replace(/\.(\d+)/, '.$1123456')],
    ['offset', 'with the offset +00:00', (iso) => iso.replace('Z', '+00:00')],
    [
      'negative-offset',
      'with the offset -05:00',
      (iso) => new Date(Date.parse(iso) - 18_000_000).toISOString().replace('Z', '-05:00'),
    ],
    ['short-offset', 'with the offset +00', (iso) => iso.replace('Z', '+00')],
    ['basic', 'in the basic format', (iso) => iso.replaceAll(/[-:]|\.\d+/g, '')],
    ['comma', 'with a comma before the fraction', (iso) => iso.replace('.', ',')],
    ['without-zone', 'without a zone', (iso) => iso.replace('Z', '')],
    ['minutes', 'without seconds', (iso) => iso.replace(/:\d+\.\d+Z/, 'Z')],
    ['week', 'with a week and its day', (iso) => `${iso.slice(0, 4)}-W27-3${iso.slice(10)}`],
    ['ordinal', 'with the day of the year', (iso) => `${iso.slice(0, 4)}-182${iso.slice(10)}`],
  ];

/** Headers and bodies in other words for the same. */
export const spellingVariants: readonly Variant[] = [
  variant({
    id: 'header-names-upper-case',
    takes: HEADERS,
    does: 'Writes the names of headers in upper case.',
    sender: headerNames((name) => name.toUpperCase()),
  }),
  variant({
    id: 'header-names-lower-case',
    takes: HEADERS,
    does: 'Writes the names of headers in lower case.',
    sender: headerNames((name) => name.toLowerCase()),
  }),
  variant({
    id: 'header-names-title-case',
    takes: HEADERS,
    does: 'Writes the names of headers with capitals.',
    sender: headerNames((name) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())),
  }),
  variant({
    id: 'headers-reversed',
    takes: HEADERS,
    does: 'Sends its headers in another order.',
    sender: onDelivery((delivery) => ({ ...delivery, headers: delivery.headers.toReversed() })),
  }),
  variant({
    id: 'headers-more',
    takes: MEMBERS,
    does: 'Sends headers that the contract does not name.',
    sender: onDelivery((delivery) =>
      withHeader(
        withHeader(delivery, 'x-request-id', 'r-1'),
        'traceparent',
        '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      ),
    ),
  }),
  ...MEDIA_TYPES.map((type, index) =>
    variant({
      id: `content-type-form-${index + 1}`,
      takes: 'webhook-header.content-type',
      does: `Declares the body as ${type}.`,
      sender: onDelivery((delivery) => withHeader(delivery, 'content-type', type)),
    }),
  ),
  ...USER_AGENTS.map((agent, index) =>
    variant({
      id: `user-agent-${index + 1}`,
      takes: 'webhook-header.user-agent.text',
      does: `Calls itself ${agent}.`,
      sender: onDelivery((delivery) => withHeader(delivery, 'user-agent', agent)),
    }),
  ),
  variant({
    id: 'chunked',
    takes: HEADERS,
    does: 'Sends the body in chunks.',
    sender: onDelivery((delivery) =>
      withHeader(withHeader(delivery, 'content-length', null), 'transfer-encoding', 'chunked'),
    ),
  }),
  variant({
    id: 'event-more-members',
    takes: MEMBERS,
    does: 'An event has further members.',
    sender: editEvent((event) =>
      Object.assign(event, { attempt: 1, tenant: { id: 't' }, links: [] }),
    ),
  }),
  variant({
    id: 'event-more-data',
    takes: MEMBERS,
    does: 'The data of an event has further members.',
    sender: editEvent((event) =>
      Object.assign(dataIn(event), { automation: { name: 'x' }, changedBy: null }),
    ),
  }),
  variant({
    id: 'event-more-run',
    takes: MEMBERS,
    does: 'The run in an event has further members.',
    sender: editEvent((event) =>
      Object.assign(runIn(event), { name: 'a run', tags: [], usage: null, error: null }),
    ),
  }),
  variant({
    id: 'retries-serialized-again',
    takes: 'delivery.retry.bytes',
    does: 'A retry has other white space, and its members in another order.',
    sender: editDelivery(
      (delivery, { event }) =>
        withBytes(delivery, Buffer.from(JSON.stringify(reversed(event), null, 2))),
      ({ attempt, isRedelivery }) => attempt > 1 && !isRedelivery,
    ),
  }),
  variant({
    id: 'body-keys-reversed',
    takes: JSON_BODY,
    does: 'Writes members in another order.',
    sender: written((event) => JSON.stringify(reversed(event))),
  }),
  variant({
    id: 'body-pretty',
    takes: JSON_BODY,
    does: 'Writes the body with white space.',
    sender: written((event) => JSON.stringify(event, null, 2)),
  }),
  variant({
    id: 'body-tabs',
    takes: JSON_BODY,
    does: 'Writes the body with tabs.',
    sender: written((event) => JSON.stringify(event, null, '\t')),
  }),
  variant({
    id: 'body-newline',
    takes: JSON_BODY,
    does: 'Ends the body with a line break.',
    sender: written((event) => `${JSON.stringify(event)}\r\n`),
  }),
  variant({
    id: 'body-escapes',
    takes: JSON_BODY,
    does: 'Escapes non-ASCII characters.',
    sender: written((event) => JSON.stringify(event).replaceAll(/[^\0-\x7f]/g, escapeOf)),
  }),
  variant({
    id: 'body-escaped-capitals',
    takes: JSON_BODY,
    does: 'Escapes non-ASCII characters with upper-case digits.',
    sender: written((event) =>
      JSON.stringify(event).replaceAll(/[^\0-\x7f]/g, (character) =>
        escapeOf(character).toUpperCase().replace('U', 'u'),
      ),
    ),
  }),
  variant({
    id: 'body-escaped-slashes',
    takes: JSON_BODY,
    does: 'Escapes slashes.',
    sender: written((event) => JSON.stringify(event).replaceAll('/', '\\/')),
  }),
  ...TIME_FORMS.flatMap(([id, what, write]) => [
    variant({
      id: `event-time-${id}`,
      takes: TIMES,
      at: 'event',
      does: `Writes createdAt of an event ${what}.`,
      sender: editEvent((event) => (event['createdAt'] = write(String(event['createdAt'])))),
    }),
    variant({
      id: `run-times-${id}`,
      takes: TIMES,
      at: 'run',
      does: `Writes the times of a run ${what}.`,
      sender: editRun((run) => {
        for (const member of ['createdAt', 'startedAt', 'completedAt']) {
          const time = run[member];
          if (typeof time === 'string') run[member] = write(time);
        }
      }),
    }),
  ]),
];

function headerNames(write: (name: string) => string): Open {
  return onDelivery((delivery) => ({
    ...delivery,
    headers: delivery.headers.map(([name, value]): HeaderPair => [write(name), value]),
  }));
}

/** The same event as other text. */
function written(write: (event: Readonly<Fields>) => string): Open {
  return editDelivery((delivery, { event }) => withBytes(delivery, Buffer.from(write(event))));
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, each]) => [name, reversed(each)]),
  );
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
