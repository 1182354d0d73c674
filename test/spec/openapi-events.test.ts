import { EVENT_TYPES, SIGNATURE_HEADERS } from '@hookproof/spec';
import type { RunEvent } from '@hookproof/spec';
import { loadOpenApi } from '@hookproof/spec/openapi';
import type { OperationObject } from '@hookproof/spec/openapi';
import { expect, expectTypeOf, test } from 'vitest';
import { compileComponent } from './openapi-validator.ts';

const document = loadOpenApi();
const validateEvent = compileComponent('RunEvent');

function deliveryOf(type: string): OperationObject {
  const operation = document.webhooks[type]?.post;
  if (operation === undefined) throw new TypeError(`no webhook ${type}`);
  return operation;
}

function exampleOf(type: string): Record<string, unknown> {
  const media = deliveryOf(type).requestBody?.content['application/json'];
  return objectAt(structuredClone(media?.example), type);
}

function objectAt(value: unknown, place: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new TypeError(`no object at ${place}`);
  return Object.fromEntries(Object.entries(value));
}

/** Returns the example event with `value` at a dotted path, or without that field. */
function changed(type: string, path: string, value?: unknown): Record<string, unknown> {
  return changedObject(exampleOf(type), path.split('.'), value);
}

function changedObject(
  object: Record<string, unknown>,
  [key = '', ...rest]: string[],
  value: unknown,
): Record<string, unknown> {
  const { [key]: present, ...others } = object;
  if (rest.length > 0) {
    return { ...others, [key]: changedObject(objectAt(present, key), rest, value) };
  }
  return value === undefined ? others : { ...others, [key]: value };
}

test('both events are deliveries to a webhook, signed and without an API key', () => {
  expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES]);
  for (const type of EVENT_TYPES) {
    const { security, parameters, requestBody, responses } = deliveryOf(type);
    expect(security).toEqual([]);
    expect(requestBody?.required).toBe(true);
    expect(Object.keys(requestBody?.content ?? {})).toEqual(['application/json']);
    expect(Object.keys(responses).toSorted()).toEqual(['2XX', '408', '425', '429', '4XX', '5XX']);
    expect(parameters).toEqual(
      ['WebhookId', 'WebhookTimestamp', 'WebhookSignature', 'WebhookUserAgent'].map((name) => ({
        $ref: `#/components/parameters/${name}`,
      })),
    );
  }
});

test('the delivery headers are the four of the contract, all required', () => {
  const headers = Object.values(document.components.parameters).filter(
    (one) => one.in === 'header',
  );
  expect(headers.map(({ name, required, schema }) => [name, required, schema.pattern])).toEqual([
    [SIGNATURE_HEADERS.id, true, '^whev_'],
    [SIGNATURE_HEADERS.timestamp, true, '^[0-9]+$'],
    [SIGNATURE_HEADERS.signature, true, '^v1,[0-9A-Fa-f]{64}$'],
    ['user-agent', true, undefined],
  ]);
  for (const { schema, example } of headers) {
    expect(example).toMatch(new RegExp(schema.pattern ?? '.'));
  }
});

test.each(EVENT_TYPES)('the example of %s matches its schema', (type) => {
  validateEvent(exampleOf(type));
  expect(validateEvent.errors).toBeNull();
});

test.each([
  ['run.created', 'data.run.triggerType', 'carrier-pigeon'],
  ['run.created', 'data.run.output', null],
  ['run.created', 'data.run.output', [1, 'two', { three: 3 }]],
  ['run.created', 'data.run.outputOmitted', true],
  ['run.created', 'data.run.startedAt', '2026-07-04T10:00:00Z'],
  ['run.created', 'apiVersion', '2027-01-01'],
  ['run.created', 'test', true],
  ['run.created', 'somethingNew', 1],
  ['run.created', 'data.run.somethingNew', 1],
  ['run.status_changed', 'data.run.output', undefined],
])('%s may have %s = %j', (type, path, value) => {
  validateEvent(changed(type, path, value));
  expect(validateEvent.errors).toBeNull();
});

const requiredFields = [
  'id',
  'type',
  'apiVersion',
  'createdAt',
  'test',
  'data',
  'data.run',
  'data.run.id',
  'data.run.automationId',
  'data.run.type',
  'data.run.status',
  'data.run.triggerType',
  'data.run.createdAt',
  'data.run.startedAt',
  'data.run.completedAt',
];

test.each([
  ...EVENT_TYPES.flatMap((type) => requiredFields.map((path) => [type, path] as const)),
  ['run.status_changed', 'data.previousStatus'] as const,
  ['run.status_changed', 'data.currentStatus'] as const,
])('%s must have %s', (type, path) => {
  expect(validateEvent(changed(type, path))).toBe(false);
});

test.each([
  ['run.created', 'id', 'evt_1'],
  ['run.created', 'type', 'run.finished'],
  ['run.created', 'type', 'run.status_changed'],
  ['run.created', 'createdAt', '4 July 2026'],
  ['run.created', 'test', 'false'],
  ['run.created', 'data.previousStatus', 'created'],
  ['run.created', 'data.currentStatus', 'pending'],
  ['run.created', 'data.run.status', 'queued'],
  ['run.created', 'data.run.type', 'script'],
  ['run.created', 'data.run.automationId', 'automation_1'],
  ['run.created', 'data.run.completedAt', 0],
  ['run.status_changed', 'type', 'run.created'],
  ['run.status_changed', 'data.previousStatus', 'queued'],
  ['run.status_changed', 'data.currentStatus', null],
])('%s may not have %s = %j', (type, path, value) => {
  expect(validateEvent(changed(type, path, value))).toBe(false);
});

test('the type of an event determines its data', () => {
  type Created = Extract<RunEvent, { type: 'run.created' }>['data'];
  type Changed = Extract<RunEvent, { type: 'run.status_changed' }>['data'];
  expectTypeOf<Created['previousStatus']>().toEqualTypeOf<undefined>();
  expectTypeOf<Changed['previousStatus']>().toEqualTypeOf<Changed['currentStatus']>();
  expectTypeOf<Changed['run']['output']>().toEqualTypeOf<unknown>();
});
