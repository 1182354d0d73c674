import type { ControlClient } from '@hookproof/conformance';
import { controlRequest, listControlOperations, loadControl } from '@hookproof/spec/control';
import { expect, test } from 'vitest';

const operations = listControlOperations(loadControl());

// The type of the suite's client.
const CALLED: Readonly<Record<keyof ControlClient, boolean>> = {
  getWorld: true,
  createWorld: true,
  listWorlds: true,
  deleteWorld: true,
  createRun: true,
  readRun: true,
  moveRun: true,
  createWebhookEndpoint: true,
  changeWebhookEndpoint: true,
  listWebhookEndpoints: true,
  deleteWebhookEndpoint: true,
  sendTestEvent: true,
  listDeliveries: true,
  redeliver: true,
  getLimits: true,
  changeLimits: true,
  injectApiFault: true,
  listApiFaults: true,
  removeApiFault: true,
  getClock: true,
  advanceClock: true,
  // They call operations: createWorld, and wait.
  createSharedWorld: false,
  waitForIdle: false,
};

test('x-suite marks the operations that the suite calls', () => {
  const called = Object.entries(CALLED).flatMap(([name, isOperation]) => (isOperation ? name : []));
  const marked = operations.flatMap(({ operationId, suite }) =>
    suite === null ? [] : operationId,
  );
  expect(new Set([...called, 'wait'])).toEqual(new Set(marked));
});

test.each([
  ['getClock', {}, 'GET /clock null'],
  ['deleteWorld', { id: 'a/b c' }, 'DELETE /worlds/a%2Fb%20c null'],
  [
    'listDeliveries',
    { runId: 'exec_1', limit: 2, status: undefined },
    'GET /deliveries?runId=exec_1&limit=2 null',
  ],
  ['redeliver', { id: 'dl_1' }, 'POST /deliveries/dl_1/redeliver {}'],
  ['createWorld', {}, 'POST /worlds {}'],
  [
    'moveRun',
    { runId: 'exec_1', status: 'failed', output: null },
    'POST /runs/exec_1/moves {"status":"failed","output":null}',
  ],
])('the request of %s with %j', (operationId, members, expected) => {
  const requests = operations
    .filter((one) => one.operationId === operationId)
    .map((operation) => controlRequest(operation, members))
    .map(({ method, path, body }) => `${method} ${path} ${body}`);
  expect(requests).toEqual([expected]);
});
