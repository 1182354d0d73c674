import type { HeaderPair } from '../../http/exchange.ts';
import type { Outgoing } from '../../http/message.ts';
import { withBytes, withHeader } from '../kit/message.ts';
import type { Fields } from '../kit/message.ts';
import type { Variant } from '../kit/defect.ts';
import type { Alter } from './alter.ts';
import { dataIn, editing, editingRun, runIn, signing, variant } from './alter.ts';

const HEADERS = 'webhook-header.post';
const MEMBERS = 'versioning.wire.extra-members';
const TIMES = 'versioning.wire.timestamp-format';

/** Headers and bodies in other words for the same. */
export const spellingVariants: readonly Variant[] = [
  named('header-names-upper-case', 'in upper case', (name) => name.toUpperCase()),
  named('header-names-lower-case', 'in lower case', (name) => name.toLowerCase()),
  named('header-names-title-case', 'with capitals', (name) =>
    name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  ),
  variant('headers-reversed', 'Sends its headers in another order.', HEADERS, (delivery) => ({
    ...delivery,
    headers: delivery.headers.toReversed(),
  })),
  variant('headers-more', 'Sends headers that the contract does not name.', MEMBERS, (delivery) =>
    withHeader(
      withHeader(delivery, 'x-request-id', 'r-1'),
      'traceparent',
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    ),
  ),
  ...[
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON',
    'application/json; charset="utf-8"',
    'application/json ; profile=x',
  ].map((type, index) =>
    variant(
      `content-type-form-${index + 1}`,
      `Declares the body as ${type}.`,
      'webhook-header.content-type',
      (delivery) => withHeader(delivery, 'content-type', type),
    ),
  ),
  ...[
    'Platform',
    'Platform/0.10.2 (webhooks; +https://example.com)',
    'node',
    'Ünï/1'.normalize('NFC').replaceAll(/[^\0-\x7f]/g, '.'),
  ].map((agent, index) =>
    variant(
      `user-agent-${index + 1}`,
      `Calls itself ${agent}.`,
      'webhook-header.user-agent.text',
      (delivery) => withHeader(delivery, 'user-agent', agent),
    ),
  ),
  variant('chunked', 'Sends the body in chunks.', HEADERS, (delivery) =>
    withHeader(withHeader(delivery, 'content-length', null), 'transfer-encoding', 'chunked'),
  ),
  event('more-members', 'An event has further members.', MEMBERS, (fields) =>
    Object.assign(fields, { attempt: 1, tenant: { id: 't' }, links: [] }),
  ),
  event('more-data', 'The data of an event has further members.', MEMBERS, (fields) =>
    Object.assign(dataIn(fields), { automation: { name: 'x' }, changedBy: null }),
  ),
  event('more-run', 'The run in an event has further members.', MEMBERS, (fields) =>
    Object.assign(runIn(fields), { name: 'a run', tags: [], usage: null, error: null }),
  ),
  written('keys-reversed', 'Writes members in another order.', (fields) =>
    JSON.stringify(reversed(fields)),
  ),
  written('pretty', 'Writes the body with white space.', (fields) =>
    JSON.stringify(fields, null, 2),
  ),
  written('tabs', 'Writes the body with tabs.', (fields) => JSON.stringify(fields, null, '\t')),
  written(
    'newline',
    'Ends the body with a line break.',
    (fields) => `${JSON.stringify(fields)}\r\n`,
  ),
  written('escapes', 'Escapes characters beyond ASCII.', (fields) =>
    JSON.stringify(fields).replaceAll(/[^\0-\x7f]/g, escapeOf),
  ),
  written('escaped-capitals', 'Escapes characters beyond ASCII in capitals.', (fields) =>
    JSON.stringify(fields).replaceAll(/[^\0-\x7f]/g, (character) =>
      escapeOf(character).toUpperCase().replace('U', 'u'),
    ),
  ),
  written('escaped-slashes', 'Escapes slashes.', (fields) =>
    JSON.stringify(fields).replaceAll('/', '\\/'),
  ),
  ...times(),
];

/** Forms of ISO 8601, for the times of the event and of its run. */
function times(): Variant[] {
  const forms: Readonly<Record<string, (iso: string) => string>> = {
    'whole-seconds': (iso) => iso.replace(/\.\d+/, ''),
    microseconds: (iso) => iso.replace(/\.(\d+)/, '.$1123'),
    nanoseconds: (iso) => iso.replace(/\.(\d+)/, '.$1123456'),
    offset: (iso) => iso.replace('Z', '+00:00'),
    'negative-offset': (iso) =>
      new Date(Date.parse(iso) - 18_000_000).toISOString().replace('Z', '-05:00'),
    'short-offset': (iso) => iso.replace('Z', '+00'),
    basic: (iso) => iso.replaceAll(/[-:]|\.\d+/g, ''),
    comma: (iso) => iso.replace('.', ','),
    'without-zone': (iso) => iso.replace('Z', ''),
    minutes: (iso) => iso.replace(/:\d+\.\d+Z/, 'Z'),
    week: (iso) => `${iso.slice(0, 4)}-W27-3${iso.slice(10)}`,
    ordinal: (iso) => `${iso.slice(0, 4)}-182${iso.slice(10)}`,
  };
  return Object.entries(forms).flatMap(([name, write]) => [
    variant(
      `event-time-${name}`,
      `createdAt of an event is in the form ${name}.`,
      TIMES,
      editing((fields) => (fields['createdAt'] = write(String(fields['createdAt'])))),
    ),
    variant(
      `run-times-${name}`,
      `The times of a run are in the form ${name}.`,
      TIMES,
      editingRun((run) => {
        for (const member of ['createdAt', 'startedAt', 'completedAt']) {
          const time = run[member];
          if (typeof time === 'string') run[member] = write(time);
        }
      }),
    ),
  ]);
}

function named(id: string, what: string, write: (name: string) => string): Variant {
  return variant(id, `Writes the names of headers ${what}.`, HEADERS, (delivery) => ({
    ...delivery,
    headers: delivery.headers.map(([name, value]): HeaderPair => [write(name), value]),
  }));
}

function event(
  id: string,
  does: string,
  takes: string,
  edit: (fields: Fields) => unknown,
): Variant {
  return variant(`event-${id}`, does, takes, editing(edit));
}

function written(id: string, does: string, write: (fields: Readonly<Fields>) => string): Variant {
  const change: Alter = (delivery: Outgoing, seen) =>
    withBytes(delivery, Buffer.from(write(seen.event)));
  return variant(`body-${id}`, does, 'webhook-envelope.json', signing(change));
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
