import { withBytes } from '../kit/message.ts';
import type { Fields } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import type { Alter, When } from './alter.ts';
import {
  defect,
  editing,
  isAgent,
  isChanged,
  isCreated,
  isReal,
  isRedelivered,
  isRetry,
  isTest,
  runIn,
  signing,
} from './alter.ts';

const FIELDS = 'webhook-envelope.fields';
const MEMBERS = ['id', 'type', 'apiVersion', 'createdAt', 'test', 'data'];

/** Envelopes with other members, and events whose identity changes. */
export const envelopeDefects: readonly Defect[] = [
  ...MEMBERS.flatMap((name) => [
    changed(`${name}-missing`, `has no ${name}`, FIELDS, (event) => delete event[name]),
    changed(`${name}-null`, `has ${name} null`, FIELDS, (event) => (event[name] = null)),
    changed(`${name}-number`, `has a number as ${name}`, FIELDS, (event) => (event[name] = 7)),
    changed(
      `${name}-list`,
      `has a list as ${name}`,
      FIELDS,
      (event) => (event[name] = [event[name]]),
    ),
  ]),
  changed('nested', 'is in a member event', FIELDS, (event) => {
    const copy = { ...event };
    for (const name of MEMBERS) delete event[name];
    event['event'] = copy;
  }),
  changed('without-run', 'has no run', FIELDS, (event) => delete Object(event['data'])['run']),
  changed(
    'run-renamed',
    'has its run under another name',
    FIELDS,
    (event) => (event['data'] = { workflowRun: runIn(event) }),
  ),
  changed(
    'test-word',
    'has test as a word',
    FIELDS,
    (event) => (event['test'] = String(event['test'])),
  ),
  ...['run.updated', 'run.statusChanged', 'RUN.STATUS_CHANGED', 'run_status_changed'].map((type) =>
    changed(
      `type-${type}`,
      `has the type ${type} for a change`,
      'webhook-envelope.type-values',
      (event) => (event['type'] = type),
      isChanged,
    ),
  ),
  ...['run.new', 'Run.Created'].map((type) =>
    changed(
      `type-${type}`,
      `has the type ${type} for a creation`,
      'webhook-envelope.type-values',
      (event) => (event['type'] = type),
      isCreated,
    ),
  ),
  ...['2025-01-01', 'v2026-07-01', '2026-07-02', '1'].map((version) =>
    changed(
      `api-version-${version}`,
      `has apiVersion ${version}`,
      'versioning.webhook.api-version',
      (event) => (event['apiVersion'] = version),
    ),
  ),
  changed(
    'api-version-other-on-test-events',
    'has another apiVersion when it is a test event',
    'versioning.webhook.api-version',
    (event) => (event['apiVersion'] = '2025-01-01'),
    isTest,
  ),
  ...TIME_FORMS().map(([name, what, write]) =>
    changed(
      `created-at-${name}`,
      `has ${what} as createdAt`,
      'webhook-envelope.created-at',
      (event) => (event['createdAt'] = write(Date.parse(String(event['createdAt'])))),
    ),
  ),
  ...['evt_', 'whe_', 'WHEV_', 'whev-', ''].map((prefix) =>
    withId(
      `prefix-${prefix === '' ? 'none' : prefix.replace('_', '')}`,
      `has an id that starts with "${prefix}"`,
      'webhook-envelope.id.prefix',
      (id) => id.replace('whev_', prefix),
    ),
  ),
  withId(
    'of-run',
    'has the id of its run',
    'webhook-envelope.id.idempotency-key',
    (_id, event) => `whev_${String(runIn(event)['id'])}`,
  ),
  withId(
    'of-type',
    'has an id of its run and type',
    'webhook-envelope.id.idempotency-key',
    (_id, event) => `whev_${String(runIn(event)['id'])}${String(event['type'])}`,
  ),
  withId(
    'of-status',
    'has an id of its run and status',
    'webhook-envelope.id.idempotency-key',
    (_id, event) => `whev_${String(runIn(event)['id'])}${String(runIn(event)['status'])}`,
  ),
  withId(
    'new-on-retries',
    'has a new id on a retry',
    'webhook-envelope.id.idempotency-key',
    (id) => `${id}1`,
    isRetry,
  ),
  withId(
    'new-on-redelivery',
    'has a new id on a redelivery',
    'delivery.redelivery.same-id',
    (id) => `${id}2`,
    isRedelivered,
  ),
  changed(
    'body-id-new-on-retries',
    'has a new id in the body of a retry',
    'webhook-header.id.equals-body',
    (event) => (event['id'] = `${String(event['id'])}3`),
    isRetry,
  ),
  changed(
    'test-true',
    'has test true',
    'webhook-envelope.test.false-for-real-runs',
    (event) => (event['test'] = true),
    isReal,
  ),
  changed(
    'test-true-for-agents',
    'has test true for runs of agents',
    'webhook-envelope.test.false-for-real-runs',
    (event) => (event['test'] = true),
    isAgent,
  ),
  ...payloads('retry', isRetry, 'delivery.retry.same-payload'),
  ...payloads('redelivery', isRedelivered, 'delivery.redelivery.same-payload'),
  notJson('form', 'URL-encoded', (text) => `payload=${encodeURIComponent(text)}`),
  notJson('list', 'a list of one event', (text) => `[${text}]`),
  notJson('cut', 'cut', (text) => text.slice(0, -1)),
  notJson('string', 'a JSON string', (text) => JSON.stringify(text)),
  notJson('base64', 'in base64', (text) => Buffer.from(text).toString('base64')),
  notJson('empty', 'empty', () => ''),
];

/** Forms of a time that are not ISO 8601. */
function TIME_FORMS(): readonly (readonly [string, string, (milliseconds: number) => unknown])[] {
  return [
    ['epoch-text', 'a number of milliseconds in a text', String],
    ['http-date', 'an HTTP date', (time) => new Date(time).toUTCString()],
    ['slashes', 'a date with slashes', (time) => new Date(time).toISOString().replaceAll('-', '/')],
    ['blank', 'a time with a blank', (time) => new Date(time).toISOString().replace('T', ' at ')],
    ['empty', 'an empty text', () => ''],
  ];
}

function changed(
  name: string,
  what: string,
  breaks: string,
  edit: (event: Fields) => unknown,
  when?: When,
): Defect {
  return defect(`event-${name}`, `An event ${what}.`, breaks, editing(edit, when));
}

function withId(
  name: string,
  what: string,
  breaks: string,
  idOf: (id: string, event: Fields) => string,
  when?: When,
): Defect {
  return defect(`event-id-${name}`, `An event ${what}.`, breaks, withEventId(idOf, when));
}

/** The same id in body and header. */
function withEventId(idOf: (id: string, event: Fields) => string, when: When = () => true): Alter {
  return (delivery, seen) => {
    if (!when(seen)) return delivery;
    const id = idOf(String(seen.event['id']), { ...seen.event });
    const headers = delivery.headers.map(
      ([name, value]) => [name, name.toLowerCase() === 'webhook-id' ? id : value] as const,
    );
    return editing((event) => (event['id'] = id))({ ...delivery, headers }, seen);
  };
}

function payloads(what: string, when: When, breaks: string): Defect[] {
  return [
    changed(
      `created-at-new-on-${what}`,
      `has a new createdAt on a ${what}`,
      breaks,
      (event) => (event['createdAt'] = '2030-01-01T00:00:00.000Z'),
      when,
    ),
    changed(
      `sent-at-new-on-${what}`,
      `has a member with the attempt on a ${what}`,
      breaks,
      (event) => (event['attempt'] = 2),
      when,
    ),
    changed(
      `without-output-on-${what}`,
      `has another trigger on a ${what}`,
      breaks,
      (event) => (runIn(event)['triggerType'] = 'retry'),
      when,
    ),
    defect(
      `event-pretty-on-${what}`,
      `An event has other white space on a ${what}.`,
      breaks,
      signing(
        (delivery, { event }) => withBytes(delivery, Buffer.from(JSON.stringify(event, null, 2))),
        when,
      ),
    ),
  ];
}

function notJson(name: string, what: string, write: (text: string) => string): Defect {
  return defect(
    `body-${name}`,
    `The body of a delivery is ${what}.`,
    'webhook-envelope.json',
    signing((delivery) =>
      withBytes(delivery, Buffer.from(write(Buffer.from(delivery.body ?? []).toString('utf8')))),
    ),
  );
}
