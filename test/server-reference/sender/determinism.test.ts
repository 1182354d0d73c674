import { expect, test } from 'vitest';

import { startControlled } from '../control/control-client.ts';
import { listenAt, statuses } from './endpoint-listener.ts';

/** Everything that an endpoint got, and what the sender recorded of it, to the millisecond. */
async function deliverAll(seed: number): Promise<string[]> {
  const control = await startControlled({ seed });
  const listener = await listenAt(statuses(503, 500, 429, 204, 503, 204));
  await control.endpoint(listener.url);
  for (const automation of ['workflowId', 'agentId'] as const) {
    const run = await control.run({ automationId: control.server.world.fixtures[automation] });
    await control.advance(1_000);
    if (run.status === 'created') await control.move(run.id, 'pending');
    await control.move(run.id, 'running');
    await control.advance(60_000);
    await control.move(run.id, 'finalizing', { output: { rows: [1, 2] } });
    await control.move(run.id, 'completed');
    await control.advance(60_000);
  }
  const arrivals = listener.arrivals.map(({ headers, body }) => {
    const { host: _port, ...stable } = headers;
    return JSON.stringify([stable, body.toString('utf8')]);
  });
  const records = (await control.deliveries()).map((delivery) => JSON.stringify(delivery));
  return [...arrivals, ...records];
}

test('the same seed and a virtual clock give the same bytes, attempt for attempt', async () => {
  const first = await deliverAll(11);
  const second = await deliverAll(11);
  const other = await deliverAll(12);
  expect(first.length).toBeGreaterThan(10);
  expect(second.toSorted()).toEqual(first.toSorted());
  expect(other.toSorted()).not.toEqual(first.toSorted());
});
