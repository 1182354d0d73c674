import { decodeEvent } from '@hookproof/receiver/verify';
import { runCreatedEvent, runStatusChangedEvent } from '@hookproof/receiver/testing';
import { describe, expect, test } from 'vitest';

const created = runCreatedEvent();
const changed = runStatusChangedEvent();

function decode(value: unknown, id = created.id) {
  return decodeEvent(Buffer.from(JSON.stringify(value)), id);
}

function refusal(code: string, message: RegExp) {
  return expect.objectContaining({ code, stage: 'event', message: expect.stringMatching(message) });
}

test('keeps fields that the contract does not name', () => {
  const extended = { ...created, region: 'eu', data: { ...created.data, attempt: 1 } };
  expect(decode(extended)).toEqual(extended);
});

test('keeps any output, also null and false', () => {
  for (const output of [null, false, 0, '', [], { nested: { deep: [1] } }]) {
    const event = runStatusChangedEvent({ run: { output } });
    expect(decode(event, event.id)).toEqual(event);
  }
});

describe('an event that this release does not know is passed on', () => {
  test('of another type', () => {
    expect(decode({ ...created, type: 'run.archived', data: { any: 1 } })).toEqual({
      type: 'unknown',
      receivedType: 'run.archived',
      id: created.id,
      apiVersion: created.apiVersion,
      createdAt: created.createdAt,
      test: false,
      data: { any: 1 },
    });
  });

  test('of another version, as unknown when its shape is not a known one', () => {
    const event = { ...created, apiVersion: '2027-01-01', data: { run: { key: 'exec_1' } } };
    expect(decode(event)).toMatchObject({ type: 'unknown', receivedType: 'run.created' });
  });

  test('of another version, as a known event while its shape is the known one', () => {
    const event = { ...created, apiVersion: '2027-01-01' };
    expect(decode(event)).toEqual(event);
  });

  test('unless its envelope is invalid', () => {
    expect(() => decode({ ...created, type: 'run.archived', test: 'no' })).toThrow(
      refusal('event_invalid', /test must be a boolean/),
    );
  });
});

const withEnvelope = (fields: object) => ({ ...created, ...fields });
const withRun = (fields: object) => ({
  ...created,
  data: { run: { ...created.data.run, ...fields } },
});
const withData = (fields: object) => ({
  ...changed,
  id: created.id,
  data: { ...changed.data, ...fields },
});

const invalid: readonly [string, unknown][] = [
  ['Body must be an object, got null', null],
  ['Body must be an object, got a list', [created]],
  ['Body must be an object, got a string', 'text'],
  ['id must be whev_…, got another string', withEnvelope({ id: 'event_1' })],
  ['id must be whev_…, got a number', withEnvelope({ id: 1 })],
  ['type must be a string, got nothing', withEnvelope({ type: undefined })],
  ['apiVersion must be a string, got a number', withEnvelope({ apiVersion: 1 })],
  [
    'createdAt must be an ISO 8601 time, got another string',
    withEnvelope({ createdAt: 'yesterday' }),
  ],
  [
    'createdAt must be an ISO 8601 time, got another string',
    withEnvelope({ createdAt: '2026-02-30T00:00:00Z' }),
  ],
  [
    'data.run.createdAt must be an ISO 8601 time, got another string',
    withRun({ createdAt: '2026-W27-3T12:00:00Z' }),
  ],
  ['test must be a boolean, got a string', withEnvelope({ test: 'true' })],
  ['test must be a boolean, got a number', withEnvelope({ test: 0 })],
  ['data must be an object, got a list', withEnvelope({ data: [] })],
  ['data must be an object, got null', withEnvelope({ data: null })],
  ['data.run must be an object, got nothing', withEnvelope({ data: {} })],
  ['data.run.id must be a string, got nothing', withRun({ id: undefined })],
  [
    'data.run.automationId must be wf_… or agent_…, got another string',
    withRun({ automationId: 'x' }),
  ],
  ['data.run.type must be workflow or agent, got another string', withRun({ type: 'robot' })],
  ['data.run.status must be a run status, got another string', withRun({ status: 'queued' })],
  ['data.run.triggerType must be a string, got null', withRun({ triggerType: null })],
  ['data.run.createdAt must be an ISO 8601 time, got a number', withRun({ createdAt: 5 })],
  ['data.run.startedAt must be a string or null, got nothing', withRun({ startedAt: undefined })],
  ['data.run.completedAt must be a string or null, got a number', withRun({ completedAt: 5 })],
  [
    'data.run.outputOmitted must be a boolean or absent, got a string',
    withRun({ outputOmitted: 'yes' }),
  ],
  [
    'data.currentStatus must be data.run.status, absent in run.created, got another string',
    withEnvelope({ data: changed.data }),
  ],
  [
    'data.previousStatus must be a run status, absent in run.created, got another string',
    withEnvelope({ data: { ...created.data, previousStatus: 'pending' } }),
  ],
  [
    'data.previousStatus must be a run status, absent in run.created, got another string',
    withData({ previousStatus: 'queued' }),
  ],
  [
    'data.previousStatus must be a run status, absent in run.created, got null',
    withData({ previousStatus: null }),
  ],
  [
    'data.currentStatus must be data.run.status, absent in run.created, got another string',
    withData({ currentStatus: 'failed' }),
  ],
  [
    'data.currentStatus must be data.run.status, absent in run.created, got nothing',
    withData({ currentStatus: undefined }),
  ],
];

test.each(invalid)('%s: %j', (problem, value) => {
  expect(() => decode(value)).toThrow(
    refusal(
      'event_invalid',
      new RegExp(
        `^${problem.replaceAll('.', '\\.')}\\. The signature is valid, so report this to the sender\\.$`,
      ),
    ),
  );
});

describe('an authentic event is kept', () => {
  test.each([
    '2026-06-30T23:59:60Z',
    '2026-07-01t12:00:00.123456789z',
    '2026-07-01T14:00:00+02:00',
    '2026-07-01T12:00Z',
    '2026-07-01T14:00:00+0200',
    '2026-07-01T12:00:00',
  ])('with the time %s', (time) => {
    const run = { ...created.data.run, createdAt: time };
    const event = { ...created, createdAt: time, data: { run } };
    expect(decode(event)).toEqual(event);
  });

  test('with previousStatus and currentStatus null in run.created', () => {
    const data = { ...created.data, previousStatus: null, currentStatus: null };
    const event = { ...created, data };
    expect(decode(event)).toEqual(event);
  });
});

test('refuses a body whose id is not the webhook-id', () => {
  expect(() => decode(created, 'whev_other')).toThrow(
    refusal(
      'event_id_mismatch',
      /^id must be webhook-id, got another id\. The signature is valid, so report this to the sender\.$/,
    ),
  );
});

test('refuses invalid UTF-8 and invalid JSON without quoting them, and reads the next body', () => {
  expect(() => decodeEvent(Buffer.from('secret text'), created.id)).toThrow(
    refusal(
      'body_not_json',
      /^Body must be JSON, got other text\. The signature is valid, so report this to the sender\.$/,
    ),
  );
  expect(() => decodeEvent(Buffer.from([0x22, 0xff, 0x22]), created.id)).toThrow(
    refusal(
      'body_not_utf8',
      /^Body must be UTF-8, got other bytes\. The signature is valid, so report this to the sender\.$/,
    ),
  );
  expect(decode(created)).toEqual(created);
});

test('a body cannot change a prototype', () => {
  const text = JSON.stringify(created).replace('"test":', '"__proto__":{"polluted":true},"test":');
  const event = decodeEvent(Buffer.from(text), created.id);
  expect(Object.getPrototypeOf(event)).toBe(Object.prototype);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('refuses JSON of any depth with a WebhookVerificationError', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  expect(() => decodeEvent(Buffer.from(deep), created.id)).toThrow(
    expect.objectContaining({ name: 'WebhookVerificationError' }),
  );
});
