import { describe, expect, test } from 'vitest';

import type { Delivery } from '../../../../server-reference/src/lab/control/deliveries.ts';
import { listenAt, statuses } from '../../events/endpoint-listener.ts';
import { openControlled, startControlled } from './control-client.ts';
import type { ControlClient } from './control-client.ts';

/** A wait that begins before the next statement. */
async function begunWait<T>(
  control: ControlClient,
  condition: object,
): Promise<{ end: Promise<T> }> {
  const end = control.expectOk<T>(200, '/wait', condition);
  // A whole wait beside it, so that the earlier one listens by now.
  await control.expectError(408, '/wait', {
    json: { ...condition, timeoutMilliseconds: 0 },
  });
  return { end };
}

async function timedOut(control: ControlClient, condition: object): Promise<string | undefined> {
  const json = { ...condition, timeoutMilliseconds: 0 };
  const { issues } = await control.expectError(408, '/wait', { json });
  expect(issues[0]?.code).toBe('timed_out');
  return issues[0]?.message.replace('the awaited state was not reached within 0 ms: ', '');
}

describe('a wait for deliveries', () => {
  test('ends when the given number exists and none is pending', async () => {
    const control = await startControlled();
    const listener = await listenAt(statuses(503, 200));
    const first = await control.endpoint(listener.url);
    const second = await control.endpoint(listener.url);
    const { id: runId } = await control.run();
    await control.idle();

    const ofRun = { for: 'deliveries', runId, count: 2 };
    expect(await timedOut(control, ofRun)).toBe('2 of 2 deliveries exist, 1 of them are pending');
    const both = await begunWait<{ data: Delivery[] }>(control, ofRun);
    const four = await begunWait<{ data: Delivery[] }>(control, { for: 'deliveries', count: 4 });
    await control.advance(400);
    const { data } = await both.end;
    expect(new Set(data.map(({ endpointId }) => endpointId))).toEqual(
      new Set([first.id, second.id]),
    );
    expect(data).toMatchObject([
      { runId, status: 'delivered' },
      { runId, status: 'delivered' },
    ]);

    await control.move(runId, 'running');
    expect((await four.end).data).toHaveLength(4);
    const toOne = { for: 'deliveries', endpointId: second.id };
    const { data: ofOne } = await control.expectOk<{ data: Delivery[] }>(200, '/wait', toOne);
    expect(ofOne.map(({ endpointId }) => endpointId)).toEqual([second.id, second.id]);
  });

  test('of a run ignores those of another run', async () => {
    const control = await startControlled();
    const listener = await listenAt();
    await control.endpoint(listener.url);
    const { id: runId } = await control.run();
    await control.idle();
    await control.expectOk(201, '/delivery-faults', { name: 'delay' });
    await control.run();
    await control.idle();
    expect(await timedOut(control, { for: 'deliveries' })).toContain(
      '2 of 1 deliveries exist, 1 of them are pending',
    );
    const { data } = await control.expectOk<{ data: Delivery[] }>(200, '/wait', {
      for: 'deliveries',
      runId,
    });
    expect(data).toMatchObject([{ runId, status: 'delivered' }]);
  });

  test('does not count as settled when there are none', async () => {
    const control = await startControlled();
    expect(await timedOut(control, { for: 'deliveries' })).toBe(
      '0 of 1 deliveries exist, 0 of them are pending',
    );
    expect(await timedOut(control, { for: 'deliveries', runId: 'exec_unknown' })).toContain(
      '0 of 1',
    );
  });
});

test('a wait for a delivery ends when both its status and its attempts match', async () => {
  const control = await startControlled();
  const listener = await listenAt(statuses(503, 204));
  await control.endpoint(listener.url);
  await control.run();
  await control.idle();
  const { id } = await control.onlyDelivery();
  const delivery = { for: 'delivery', id };
  await control.expectOk(200, '/wait', { ...delivery, attempts: 1 });
  for (const more of [{}, { attempts: 2 }, { status: 'delivered', attempts: 1 }]) {
    expect(await timedOut(control, { ...delivery, ...more })).toContain('pending after 1 attempts');
  }
  await control.advance(400);
  await control.expectOk(200, '/wait', { ...delivery, status: 'delivered', attempts: 2 });
  const three = { ...delivery, status: 'delivered', attempts: 3 };
  expect(await timedOut(control, three)).toContain('delivered after 2 attempts');
});

test('a wait for a delivery fault ends after the given number of hits, before its effect', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  await control.endpoint(listener.url);
  const { id } = await control.expectOk<{ id: string }>(201, '/delivery-faults', {
    name: 'delay',
    milliseconds: 60_000,
  });
  const once = { for: 'deliveryFault', id, hits: 1 };
  expect(await timedOut(control, once)).toBe('the delivery fault has hit 0 of 1 times');
  const wait = await begunWait(control, once);
  await control.run();
  expect(await wait.end).toMatchObject({ id, name: 'delay', hits: 1, recentHits: [{}] });
  expect(await timedOut(control, { ...once, hits: 2 })).toContain('1 of 2 times');
  expect(listener.arrivals).toEqual([]);
});

test.each(['one', 'all'])('a wait ends when its subject is removed: %s', async (removed) => {
  const control = await startControlled();
  const path = '/delivery-faults';
  const { id } = await control.expectOk<{ id: string }>(201, path, { name: 'delay' });
  const condition = { for: 'deliveryFault', id, hits: 1, timeoutMilliseconds: 60_000 };
  const refused = control.expectError(404, '/wait', { json: condition });
  await timedOut(control, condition);
  await control.call(removed === 'one' ? `${path}/${id}` : path, { method: 'DELETE' });
  const { issues } = await refused;
  expect(issues[0]?.message).toBe('no delivery fault has this id');
});

test.each([
  [{ for: 'delivery', id: 'dlv_9' }, 'no delivery has this id'],
  [{ for: 'run', id: 'exec_9' }, 'no run has this id'],
  [{ for: 'deliveryFault', id: 'delivery_fault_9', hits: 1 }, 'no delivery fault has this id'],
])('a wait for what does not exist is refused: %j', async (json, message) => {
  const control = await openControlled();
  const { issues } = await control.expectError(404, '/wait', { json });
  expect(issues).toMatchObject([{ field: 'id', code: 'not_found', message }]);
});
