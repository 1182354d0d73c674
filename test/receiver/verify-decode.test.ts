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
    const event = { ...created, apiVersion: '2027-01-01', data: { run: { key: 'run_1' } } };
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
  ['it must be an object', null],
  ['it must be an object', [created]],
  ['it must be an object', 'text'],
  ['id must be a string that starts with whev_', withEnvelope({ id: 'event_1' })],
  ['id must be a string that starts with whev_', withEnvelope({ id: 1 })],
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
    'data.run.automationId must be a string that starts with wf_ or agent_',
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
      new RegExp(
        `^Body must be an event of 2026-07-01: ${problem.replaceAll('.', '\\.')}\\. The signature is valid, so report this to the sender\\.$`,
      ),
    ),
  );
});

test('refuses a body whose id is not the webhook-id', () => {
  expect(() => decode(created, 'whev_other')).toThrow(
    refusal(
      'event_id_mismatch',
      /^Body id must equal webhook-id, got another id\. The signature is valid, so report this to the sender\.$/,
    ),
  );
});

test('refuses invalid UTF-8 and invalid JSON without quoting them, and reads the next body', () => {
  expect(() => decodeEvent(Buffer.from('secret text'), created.id)).toThrow(
    refusal(
      'body_not_json',
      /^Body must be JSON, got 11 characters that are not\. The signature is valid, so report this to the sender\.$/,
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
