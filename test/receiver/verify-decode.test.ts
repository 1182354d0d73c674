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

test('fields that the contract does not name are kept', () => {
  const extended = { ...created, region: 'eu', data: { ...created.data, attempt: 1 } };
  expect(decode(extended)).toEqual(extended);
});

test('any output is kept, null and false too', () => {
  for (const output of [null, false, 0, '', [], { nested: { deep: [1] } }]) {
    const event = runStatusChangedEvent({ run: { output } });
    expect(decode(event, event.id)).toEqual(event);
  }
});

describe('an event that this release does not know is handed on', () => {
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

  test('of another version, when it no longer has the known form', () => {
    const event = { ...created, apiVersion: '2027-01-01', data: { run: { key: 'run_1' } } };
    expect(decode(event)).toMatchObject({ type: 'unknown', receivedType: 'run.created' });
  });

  test('of another version, as a known event while it still has the form', () => {
    const event = { ...created, apiVersion: '2027-01-01' };
    expect(decode(event)).toEqual(event);
  });

  test('not when it has no envelope', () => {
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
  ['the body must be an object', null],
  ['the body must be an object', [created]],
  ['the body must be an object', 'text'],
  ['id must be a string that begins with whev_', withEnvelope({ id: 'event_1' })],
  ['id must be a string that begins with whev_', withEnvelope({ id: 1 })],
  ['type must be a string', withEnvelope({ type: undefined })],
  ['apiVersion must be a string', withEnvelope({ apiVersion: 1 })],
  ['createdAt must be an ISO 8601 date and time', withEnvelope({ createdAt: 'yesterday' })],
  [
    'createdAt must be an ISO 8601 date and time',
    withEnvelope({ createdAt: '2026-13-01T00:00:00Z' }),
  ],
  ['createdAt must be an ISO 8601 date and time', withEnvelope({ createdAt: '2026-07-01' })],
  ['test must be a boolean', withEnvelope({ test: 0 })],
  ['data must be an object', withEnvelope({ data: [] })],
  ['data.run must be an object', withEnvelope({ data: {} })],
  ['data.run.id must be a string', withRun({ id: undefined })],
  [
    'data.run.automationId must be a string that begins with wf_ or agent_',
    withRun({ automationId: 'x' }),
  ],
  ['data.run.type must be workflow or agent', withRun({ type: 'robot' })],
  ['data.run.status must be a run status', withRun({ status: 'queued' })],
  ['data.run.triggerType must be a string', withRun({ triggerType: null })],
  ['data.run.createdAt must be an ISO 8601 date and time', withRun({ createdAt: 5 })],
  ['data.run.startedAt must be a string or null', withRun({ startedAt: undefined })],
  ['data.run.completedAt must be a string or null', withRun({ completedAt: 5 })],
  ['data.run.outputOmitted must be a boolean or absent', withRun({ outputOmitted: 'yes' })],
  [
    'data must have neither previousStatus nor currentStatus in a run.created event',
    withEnvelope({ data: changed.data }),
  ],
  ['data.previousStatus must be a run status', withData({ previousStatus: 'queued' })],
  ['data.currentStatus must equal data.run.status', withData({ currentStatus: 'failed' })],
  ['data.currentStatus must equal data.run.status', withData({ currentStatus: undefined })],
];

test.each(invalid)('%s: %j', (problem, value) => {
  expect(() => decode(value)).toThrow(
    refusal(
      'event_invalid',
      new RegExp(`not an event of version 2026-07-01: ${problem.replaceAll('.', '\\.')}\\.$`),
    ),
  );
});

test('the id in the body is the id in the header', () => {
  expect(() => decode(created, 'whev_other')).toThrow(
    refusal('event_id_mismatch', /The id in the body is not the id in the header webhook-id/),
  );
});

test('what is no text or no JSON is refused without showing it, and the next body is read as ever', () => {
  expect(() => decodeEvent(Buffer.from('secret text'), created.id)).toThrow(
    refusal('body_not_json', /^The body is authentic but its 11 characters are not JSON\.$/),
  );
  expect(() => decodeEvent(Buffer.from([0x22, 0xff, 0x22]), created.id)).toThrow(
    refusal('body_not_utf8', /^The body is authentic but holds bytes that are not UTF-8/),
  );
  expect(decode(created)).toEqual(created);
});

test('a body cannot change the prototype of anything', () => {
  const text = JSON.stringify(created).replace('"test":', '"__proto__":{"polluted":true},"test":');
  const event = decodeEvent(Buffer.from(text), created.id);
  expect(Object.getPrototypeOf(event)).toBe(Object.prototype);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('JSON of any depth is no other error', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  expect(() => decodeEvent(Buffer.from(deep), created.id)).toThrow(
    expect.objectContaining({ name: 'WebhookVerificationError' }),
  );
});
