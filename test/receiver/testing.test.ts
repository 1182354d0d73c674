import { createHmac } from 'node:crypto';
import {
  runCreatedEvent,
  runStatusChangedEvent,
  runTimeline,
  sign,
  signEvent,
} from '@hookproof/receiver/testing';
import { describe, expect, it, test } from 'vitest';

const SECRET = 'whsec_c2VjcmV0';

describe('sign', () => {
  const part = { secret: SECRET, id: 'whev_1', timestamp: 1_782_907_200, body: '{"é":1}' };

  test('returns the three headers', () => {
    const digest = createHmac('sha256', SECRET).update('whev_1.1782907200.{"é":1}').digest('hex');
    expect(sign(part)).toEqual({
      'webhook-id': 'whev_1',
      'webhook-timestamp': '1782907200',
      'webhook-signature': `v1,${digest}`,
    });
    expect(sign({ ...part, body: Buffer.from(part.body) })).toEqual(sign(part));
  });

  test('signs an invalid timestamp unchanged', () => {
    const digest = createHmac('sha256', SECRET).update('whev_1.+5.').digest('hex');
    expect(sign({ ...part, timestamp: '+5', body: '' })).toMatchObject({
      'webhook-timestamp': '+5',
      'webhook-signature': `v1,${digest}`,
    });
  });

  test('decodes the secret when secretEncoding is base64', () => {
    const digest = createHmac('sha256', 'secret').update('whev_1.0.').digest('hex');
    const headers = sign({ ...part, secretEncoding: 'base64', timestamp: 0, body: '' });
    expect(headers['webhook-signature']).toBe(`v1,${digest}`);
  });

  test('refuses an invalid secret', () => {
    expect(() => sign({ ...part, secret: 'c2VjcmV0' })).toThrow(TypeError);
    expect(() => sign({ ...part, secret: 'c2VjcmV0' })).toThrow(
      /^secret must be whsec_… without whitespace around it, got a string without whsec_\. /,
    );
  });
});

describe('signEvent', () => {
  test('serialises and signs the event with its id, at the second of now()', () => {
    const event = runCreatedEvent({ id: 'whev_of_mine' });
    const { headers, body } = signEvent(event, { secret: SECRET, now: () => 1_782_907_200_999 });
    expect(JSON.parse(body.toString())).toEqual(event);
    expect(headers).toEqual({
      'content-type': 'application/json',
      ...sign({ secret: SECRET, id: 'whev_of_mine', timestamp: 1_782_907_200, body }),
    });
  });
});

describe('builders', () => {
  test('build the same event each time, with overrides', () => {
    expect(runCreatedEvent()).toEqual(runCreatedEvent());
    expect(
      runCreatedEvent({
        id: 'whev_x',
        test: true,
        apiVersion: '2027-01-01',
        run: { id: 'exec_9', status: 'created' },
      }),
    ).toMatchObject({
      id: 'whev_x',
      type: 'run.created',
      test: true,
      apiVersion: '2027-01-01',
      data: { run: { id: 'exec_9', status: 'created' } },
    });
  });

  test('keep currentStatus and the status of the run equal', () => {
    const event = runStatusChangedEvent({
      previousStatus: 'running',
      currentStatus: 'failed',
      run: { status: 'pending' },
    });
    expect(event.data).toMatchObject({
      previousStatus: 'running',
      currentStatus: 'failed',
      run: { status: 'failed' },
    });
  });
});

describe('runTimeline', () => {
  test('builds the creation and each change in order, with matching dates', () => {
    const events = runTimeline(['pending', 'running', 'waiting', 'running', 'completed'], {
      run: { id: 'exec_7', automationId: 'agent_1', type: 'agent' },
      startsAt: '2026-07-01T00:00:00.000Z',
      stepMilliseconds: 500,
    });
    expect(events.map(({ id }) => id)).toEqual([
      'whev_exec_7_1',
      'whev_exec_7_2',
      'whev_exec_7_3',
      'whev_exec_7_4',
      'whev_exec_7_5',
    ]);
    expect(
      events.map(({ type, data }) => [
        type,
        'previousStatus' in data ? data.previousStatus : null,
        data.run.status,
      ]),
    ).toEqual([
      ['run.created', null, 'pending'],
      ['run.status_changed', 'pending', 'running'],
      ['run.status_changed', 'running', 'waiting'],
      ['run.status_changed', 'waiting', 'running'],
      ['run.status_changed', 'running', 'completed'],
    ]);
    expect(
      events.map(({ createdAt, data }) => [createdAt, data.run.startedAt, data.run.completedAt]),
    ).toEqual([
      ['2026-07-01T00:00:00.000Z', null, null],
      ['2026-07-01T00:00:00.500Z', '2026-07-01T00:00:00.500Z', null],
      ['2026-07-01T00:00:01.000Z', '2026-07-01T00:00:00.500Z', null],
      ['2026-07-01T00:00:01.500Z', '2026-07-01T00:00:00.500Z', null],
      ['2026-07-01T00:00:02.000Z', '2026-07-01T00:00:00.500Z', '2026-07-01T00:00:02.000Z'],
    ]);
    expect(
      events.every(
        ({ data }) =>
          data.run.automationId === 'agent_1' && data.run.createdAt === '2026-07-01T00:00:00.000Z',
      ),
    ).toBe(true);
  });

  test('refuses an empty list of statuses', () => {
    expect(() => runTimeline([])).toThrow(
      new TypeError('statuses must have at least one status, got 0.'),
    );
  });
});

it('a timeline has its output where the platform sends it: in the event of a completed run', () => {
  const events = runTimeline(['pending', 'running', 'completed'], {
    run: { output: { total: 1 } },
  });
  expect(events.map(({ data }) => data.run.output)).toEqual([undefined, undefined, { total: 1 }]);
  expect(events.map(({ data }) => 'output' in data.run)).toEqual([false, false, true]);
  const omitted = runTimeline(['pending', 'completed'], { run: { outputOmitted: true } });
  expect(omitted.map(({ data }) => data.run.outputOmitted)).toEqual([undefined, true]);
  const [failed] = runTimeline(['failed'], { run: { output: 1 } });
  expect(failed?.data.run.output).toBeUndefined();
});
