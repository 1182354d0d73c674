import type { SentScenario } from '@hookproof/spec/control';
import { SCENARIOS } from '@hookproof/spec/scenarios';
import { expect, test } from 'vitest';

import { listenAt, runStatuses, statuses } from '../../events/endpoint-listener.ts';
import { startControlled } from './control-client.ts';

const FAULTY = new Set(['stale', 'future', 'wrong-secret', 'tampered']);

test.each(SCENARIOS)('$name: $does', async (scenario) => {
  const { name, statuses: happens, missing, isReversed, fault } = scenario;
  const control = await startControlled();
  const listener = await listenAt();
  await control.endpoint(listener.url);
  const sent = await control.expectOk<SentScenario>(200, '/scenarios', { scenario: name });
  await control.advance(60_000);
  const present = happens.filter((_, place) => place !== missing);
  const inOrder = isReversed === true ? present.toReversed() : present;
  const copies = fault?.name === 'duplicate' ? 2 : 1;
  const expected = inOrder.flatMap((status) => Array<string>(copies).fill(status));
  if (copies === 1) expect(runStatuses(listener)).toEqual(expected);
  else expect(runStatuses(listener).toSorted()).toEqual(expected.toSorted());
  expect(sent.deliveries).toHaveLength(happens.length * copies);
  expect(sent.deliveries.filter(({ isHeld }) => isHeld)).toHaveLength(
    missing === undefined ? 0 : 1,
  );
  const deliveries = await control.deliveries();
  expect(deliveries.map(({ id }) => id).toSorted()).toEqual(
    sent.deliveries.map(({ id }) => id).toSorted(),
  );
  if (FAULTY.has(name)) expect(deliveries[0]?.attempts[0]?.deliveryFault).toBe(fault?.name);
  if (scenario.isTest !== true) {
    const run = await control.expectOk(200, `/runs/${sent.runId}`);
    expect(run).toMatchObject({ type: scenario.automation, status: happens.at(-1) });
  }
  const [first] = listener.arrivals;
  expect(JSON.parse(String(first?.body))).toMatchObject(scenario.replaced ?? {});
});

test('the events of one endpoint, and given payloads', async () => {
  const control = await startControlled();
  const [one, other] = [await listenAt(), await listenAt()];
  const { id: endpointId } = await control.endpoint(one.url);
  await control.endpoint(other.url);
  const order = { scenario: 'failed', endpointId, output: 4711 };
  await control.expectOk(200, '/scenarios', order);
  expect(runStatuses(one)).toEqual(['pending', 'running', 'failed']);
  const payloads = ['{"id":"whev_mine","type":"a","data":{"run":{"status":"waiting"}}}'];
  const sent = await control.expectOk<SentScenario>(200, '/scenarios', { ...order, payloads });
  expect(sent).toMatchObject({ runId: null, deliveries: [{ isHeld: false }] });
  expect(one.arrivals.at(-1)?.body.toString()).toBe(payloads[0]);
  expect(other.arrivals).toEqual([]);
});

test('an event waits for the first attempt of the one before, not for its retries', async () => {
  const control = await startControlled();
  const listener = await listenAt(statuses(503, 204, 204));
  await control.endpoint(listener.url);
  await control.expectOk(200, '/scenarios', { scenario: 'rejected' });
  expect(runStatuses(listener)).toEqual(['pending', 'rejected']);
});

test.each(['test-event', 'ties'])('%s requires an enabled endpoint', async (scenario) => {
  const control = await startControlled();
  await control.expectError(409, '/scenarios', { json: { scenario } });
});

test('a run is made without an endpoint', async () => {
  const control = await startControlled();
  const order = { scenario: 'out-of-order' };
  const { runId } = await control.expectOk<SentScenario>(200, '/scenarios', order);
  expect(await control.expectOk(200, `/runs/${runId}`)).toMatchObject({ status: 'completed' });
});
