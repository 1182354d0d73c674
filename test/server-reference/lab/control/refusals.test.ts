import { virtualClock } from '@hookproof/server-reference';
import type { World } from '@hookproof/server-reference';
import { afterAll, describe, expect, test } from 'vitest';

import { emptyFolder } from '../../../empty-folder.ts';
import { listenAt } from '../../events/endpoint-listener.ts';
import { openApp } from '../../open-app.ts';
import { send } from '../../send.ts';
import { START, controlClient, startControlled } from './control-client.ts';

const app = await openApp({
  clock: virtualClock({ now: START }),
  uploadLimitBytes: 1000,
});
afterAll(() => app.close());
const control = controlClient(app);
const { id: endpointId } = await control.endpoint('http://127.0.0.1:9/');
const { workflowId, runId } = app.world.fixtures;
const { id: otherWorld } = await control.expectOk<World>(201, '/worlds', {});

const URL_PROBLEM = 'must not contain whitespace or control characters, got U+00';
const ONE_OF = 'must have exactly one of scope and wildcard';
const LATER = { status: 'running', afterMilliseconds: 1 };
const [a, below] = [
  { path: 'a', text: '' },
  { path: 'a/b', text: '' },
];

/** Status, operation, body, and each issue: its field, maybe with its message, which may end with `…`. */
const REFUSED: readonly (readonly [number, string, unknown, string | readonly string[]])[] = [
  [400, 'GET /deliveries?=x', undefined, '<root>'],
  [400, 'GET /deliveries?runId=x&runId=y', undefined, 'runId'],
  [
    400,
    'GET /deliveries?runID=x',
    undefined,
    'runID: is an unknown query parameter; expected one of endpointId, eventId, runId, status, limit, cursor, order',
  ],
  [
    400,
    'GET /events?type=run.moved',
    undefined,
    'type: must be one of run.created, run.status_changed, got "run.moved"',
  ],
  [400, 'GET /requests?refusedAt=nowhere', undefined, 'refusedAt'],
  [400, 'GET /runs?status=done', undefined, 'status'],

  [400, 'POST /runs', { worldID: 'x' }, 'worldID'],
  [400, 'POST /runs', { status: 'queued' }, 'status'],
  [400, 'POST /runs', { triggerType: '' }, 'triggerType'],
  [400, 'POST /runs', { origin: 7 }, 'origin'],
  [400, 'POST /runs', [], '<root>'],
  [400, 'POST /runs', { outputFiles: [{ ...a, path: '../../a' }] }, 'outputFiles[0].path'],
  [400, 'POST /runs', { outputFiles: [a, a] }, 'outputFiles[1].path'],
  [400, 'POST /runs', { outputFiles: [below, a] }, 'outputFiles[1].path'],
  [400, 'POST /runs', { outputFiles: [{ path: 'a' }] }, 'outputFiles[0]'],
  [400, 'POST /runs', { outputFiles: [{ ...a, size: 1 }] }, 'outputFiles[0]'],
  [400, 'POST /runs', { outputFiles: [{ path: 'a', size: 1001 }] }, 'outputFiles[0]'],
  [
    400,
    'POST /runs',
    { outputFiles: [{ ...a, contentType: 'text' }] },
    'outputFiles[0].contentType: must be a media type such as text/csv',
  ],
  [400, 'POST /runs', { outputFiles: [{ path: 'a', base64: 'A' }] }, 'outputFiles[0].base64'],
  [
    400,
    'POST /runs',
    { review: { correctedFiles: [{ path: '/', text: '' }] } },
    'review.correctedFiles[0].path',
  ],
  [400, 'POST /runs', { review: { corrections: [{}] } }, 'review.corrections[0].path'],
  [400, 'POST /runs', { usage: { tokens: { input: -1 } } }, 'usage.tokens.input'],
  [
    400,
    'POST /runs',
    { scheduledTransitions: [{ ...LATER, status: 'completed' }] },
    'scheduledTransitions[0].status',
  ],
  [
    400,
    'POST /runs',
    { scheduledTransitions: [LATER, { ...LATER, status: 'completed' }] },
    'scheduledTransitions[1].status: a run cannot move from running to completed…',
  ],
  [
    400,
    'POST /runs',
    { status: 'failed', scheduledTransitions: [LATER] },
    'scheduledTransitions[0].status',
  ],
  [
    400,
    'POST /runs',
    { scheduledTransitions: [{ ...LATER, afterMilliseconds: -1 }] },
    'scheduledTransitions[0].afterMilliseconds',
  ],
  [
    400,
    'POST /runs',
    { scheduledTransitions: [{ status: 'running' }] },
    'scheduledTransitions[0].afterMilliseconds',
  ],
  [
    400,
    'POST /runs',
    { deliveryFaults: [{ name: 'delay', runId: 'x' }] },
    'deliveryFaults[0].runId: must not be given here',
  ],
  [400, 'POST /runs', { deliveryFaults: [{ name: 'nothing' }] }, 'deliveryFaults[0].name'],
  [
    400,
    'POST /runs',
    { deliveryFaults: Array.from({ length: 11 }, () => ({ name: 'delay' })) },
    'deliveryFaults',
  ],
  [404, 'POST /runs', { worldId: 'nothing' }, 'worldId'],
  [404, 'POST /runs', { automationId: '__proto__' }, 'automationId'],
  [404, 'POST /runs', { worldId: otherWorld, automationId: workflowId }, 'automationId'],
  [
    404,
    'POST /runs',
    { deliveryFaults: [{ name: 'delay', endpointId: 'nothing' }] },
    'deliveryFaults[0].endpointId',
  ],
  [404, 'GET /runs/nothing', undefined, 'runId'],
  [400, 'POST /runs/x/moves', {}, 'status'],
  [404, 'POST /runs/nothing/moves', { status: 'running' }, 'runId'],
  [
    409,
    `POST /runs/${runId}/moves`,
    { status: 'running' },
    'status: a run cannot move from completed to running: completed is terminal',
  ],

  [400, 'POST /worlds', { a: 1 }, 'a'],
  [400, 'POST /worlds', { world: 7 }, 'world: must be empty or object, got 7'],
  [400, 'POST /worlds', { world: { trips: [] } }, 'world.trips: is not a known field'],
  [404, 'GET /world?worldId=nothing', undefined, 'worldId'],
  [409, `DELETE /worlds/${app.world.id}`, undefined, 'id'],

  [400, 'POST /webhook-endpoints', {}, 'url'],
  [400, 'POST /webhook-endpoints', { url: 5 }, 'url'],
  [400, 'POST /webhook-endpoints', { url: 'http://169.254.169.254/' }, 'url'],
  [400, 'POST /webhook-endpoints', { url: 'ftp://x/' }, 'url'],
  ...['http://127.0.0.1:1/ ', '\thttp://127.0.0.1:1/', 'http://127.0.0.1:1/a\nb'].flatMap((url) => [
    [400, 'POST /webhook-endpoints', { url }, `url: ${URL_PROBLEM}…`] as const,
    [400, `PATCH /webhook-endpoints/${endpointId}`, { url }, `url: ${URL_PROBLEM}…`] as const,
  ]),
  ...['', 'whsec_', 'of_my_app', 'whsec_with blank'].map(
    (secret) => [400, 'POST /webhook-endpoints', { url: 'http://x/', secret }, 'secret'] as const,
  ),
  ...['POST /webhook-endpoints', `PATCH /webhook-endpoints/${endpointId}`].map(
    (operation) =>
      [
        400,
        operation,
        {
          url: 'http://127.0.0.1:9/',
          headers: { 'webhook-id': 'x', 'X-Ok': 'ok', 'X-Line': 'a\r\nhost: b' },
        },
        [
          'headers.webhook-id: is set by the sender and cannot be customized',
          'headers.X-Line: must be at most 4000 printable Latin-1 characters',
        ],
      ] as const,
  ),
  [400, 'POST /webhook-endpoints', { url: 'http://x/', headers: { 'a b': 'x' } }, 'headers["a b"]'],
  [400, 'POST /webhook-endpoints', { url: 'http://x/', headers: { a: 1 } }, 'headers.a'],
  [404, 'POST /webhook-endpoints', { url: 'http://x/', worldId: 'nothing' }, 'worldId'],
  [404, 'GET /webhook-endpoints/nothing', undefined, 'id'],
  [404, 'PATCH /webhook-endpoints/nothing', {}, 'id'],
  [404, 'DELETE /webhook-endpoints/constructor', undefined, 'id'],
  [404, 'POST /webhook-endpoints/nothing/test', {}, 'id'],
  [404, 'POST /deliveries/nothing/redeliver', {}, 'id'],
  [404, 'GET /deliveries/__proto__', undefined, 'id'],
  [404, 'GET /deliveries/dlv_x/attempts/1', undefined, 'id'],
  [404, 'GET /requests/constructor', undefined, 'id'],

  [400, 'POST /clock/advance', {}, 'milliseconds'],
  [400, 'POST /clock/advance', { milliseconds: -1 }, 'milliseconds'],
  [400, 'POST /clock/advance', { milliseconds: 1.5 }, 'milliseconds'],
  [400, 'POST /clock/advance', { milliseconds: 1e15 }, 'milliseconds'],

  [400, 'POST /wait', {}, 'for: is required'],
  [400, 'POST /wait', { for: 'godot' }, 'for: must be one of delivery, idle, got "godot"'],
  [400, 'POST /wait', { for: 'delivery' }, 'id: is required'],
  [400, 'POST /wait', { for: 'idle', timeoutMilliseconds: 60_001 }, 'timeoutMilliseconds'],
  [400, 'POST /wait', { for: 'delivery', id: 'x', status: 'running' }, 'status'],
  [404, 'POST /wait', { for: 'delivery', id: 'dlv_9' }, 'id: no delivery has this id'],

  [400, 'POST /keys', {}, `<root>: ${ONE_OF}`],
  [400, 'POST /keys', { scope: [], wildcard: true }, `<root>: ${ONE_OF}`],
  [400, 'POST /keys', { scope: ['admin'] }, 'scope[0]'],
  [400, 'POST /keys', { wildcard: false }, 'wildcard'],
  [404, 'POST /keys', { worldId: 'world_x', wildcard: true }, 'worldId'],
  [404, 'DELETE /keys/key_unknown', undefined, 'id'],

  [400, 'PATCH /limits', { rateLimit: { requests: 0, windowSeconds: 1 } }, 'rateLimit.requests'],
  [
    400,
    'PATCH /limits',
    { rateLimit: { requests: 1, windowSeconds: 86_401 } },
    'rateLimit.windowSeconds',
  ],
  [400, 'PATCH /limits', { rateLimit: { requests: 1 } }, 'rateLimit.windowSeconds'],
  [400, 'PATCH /limits', { rateLimit: '100/60' }, 'rateLimit'],

  [
    400,
    'POST /api-faults',
    { match: {}, effect: {} },
    'effect: must have latencyMilliseconds, or one of status, reset and truncateBody',
  ],
  [
    400,
    'POST /api-faults',
    { match: {}, effect: { latencyMilliseconds: 1, status: 500, reset: true } },
    'effect: must have only one of status, reset and truncateBody, got status, reset',
  ],
  [
    400,
    'POST /api-faults',
    { match: { operationId: 'listRun' }, effect: { status: 500 } },
    'match.operationId: must be one of checkAuth, …',
  ],
  [404, 'DELETE /api-faults/fault_9', undefined, 'id'],

  [400, 'POST /delivery-faults', {}, 'name'],
  [400, 'POST /delivery-faults', { name: 'unknown' }, 'name'],
  [400, 'POST /delivery-faults', { name: 'delay', milliseconds: 86_400_001 }, 'milliseconds'],
  [400, 'POST /delivery-faults', { name: 'slow-drip', pieces: 1 }, 'pieces'],
  [
    400,
    'POST /delivery-faults',
    { name: 'duplicate', copies: 11 },
    'copies: must be an integer from 1 to 10, got 11',
  ],
  [400, 'POST /delivery-faults', { name: 'delay', copies: 1 }, 'copies: is not a known field'],
  [404, 'POST /delivery-faults', { name: 'delay', runId: 'x' }, 'runId: no run has this id'],
  [
    404,
    'POST /delivery-faults',
    { name: 'delay', endpointId: 'x' },
    'endpointId: no webhook endpoint has this id',
  ],
  [404, 'DELETE /delivery-faults/x', undefined, 'id: no delivery fault has this id'],

  ...['whev_1', '[]'].map(
    (payload) =>
      [400, 'POST /events', { payload }, 'payload: must be the JSON text of an object…'] as const,
  ),
  ...['{}', '{"id":"whev_\\n"}', '{"id":"evt_1"}'].map(
    (payload) =>
      [
        400,
        'POST /events',
        { payload },
        'payload: must have an id of whev_ and 1 to 195 visible ASCII…',
      ] as const,
  ),
  [
    400,
    'POST /events',
    { payload: '{"id":"whev_1"}', deliveryFaults: [{ name: 'delay', runId: 'exec_1' }] },
    'deliveryFaults[0].runId',
  ],
  [404, 'POST /events', { payload: '{"id":"whev_1"}', endpointId: 'none' }, 'endpointId'],
  [404, 'POST /events', { payload: '{"id":"whev_1"}', worldId: 'none' }, 'worldId'],

  [400, 'POST /scenarios', { scenario: 'nope' }, 'scenario'],
  [400, 'POST /scenarios', { scenario: 'completed', payloads: ['{}'] }, 'payloads[0]'],
  [404, 'POST /scenarios', { scenario: 'completed', automationId: 'wf_no' }, 'automationId'],
  [404, 'POST /scenarios', { scenario: 'completed', endpointId: 'whep_no' }, 'endpointId'],
];

const LISTS =
  '/worlds /keys /webhook-endpoints /runs /events /deliveries /api-faults /delivery-faults /limits';

/** What the control interface shows. */
function shown(): Promise<unknown[]> {
  return Promise.all(LISTS.split(' ').map((path) => control.expectOk(200, path)));
}

const before = await shown();

const CODES: Readonly<Record<number, string>> = { 400: 'invalid_value', 404: 'not_found' };

function issueOf(status: number, stated: string): object {
  const [field, message] = stated.split(/: (.*)/);
  const start = message?.endsWith('…') ? message.slice(0, -1) : '';
  return {
    field,
    message: message === undefined || start !== '' ? expect.stringContaining(start) : message,
    code: CODES[status] ?? expect.any(String),
    severity: 'error',
  };
}

test.each(REFUSED)('%i for %s %j, at %s', async (status, what, json, stated) => {
  const [method, path] = what.split(' ') as ['GET' | 'POST' | 'PATCH' | 'DELETE', string];
  const { issues } = await control.expectError(status, path, { method, json });
  expect(issues).toEqual([stated].flat().map((one) => issueOf(status, one)));
});

describe('a hostile body is refused', () => {
  const fields = Array.from({ length: 20_000 }, (_, index) => `"f${index}":"x"`).join(',');
  test.each([
    ['that is cut short', '/runs', '{"status":'],
    ['of deep arrays', '/runs', `{"output":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['of deep objects', '/runs', `{"output":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`],
    ['with __proto__', '/runs', '{"__proto__":{"status":"running"}}'],
    ['with constructor', '/runs', '{"constructor":{"prototype":{}}}'],
    ['with __proto__ in a change', '/runs/RUN/moves', '{"status":"running","__proto__":{}}'],
    ['with __proto__ as a status', '/runs/RUN/moves', '{"status":"__proto__"}'],
    ['with a list as a status', '/runs/RUN/moves', '{"status":["running"]}'],
    ['that is null', '/worlds', 'null'],
    ['that is a text', '/runs', '"running"'],
    ['with an endless number', '/clock/advance', '{"milliseconds":1e999}'],
    ['with a number as text', '/clock/advance', '{"milliseconds":"5"}'],
    ['of many unknown fields', '/runs', `{${fields}}`],
    ['of many headers', '/webhook-endpoints', `{"url":"http://x/","headers":{${fields}}}`],
    ['of two values', '/runs', '{}{}'],
    ['with a byte order mark', '/runs', '\ufeff{"status":5}'],
    ['of another content type', '/runs', '{}', 'text/plain'],
    ['above the limit', '/runs', `{"output":"${'x'.repeat(1_048_576)}"}`, 'application/json', 413],
  ])('%s', async (_what, path, body, type = 'application/json', status = 400) => {
    const response = await send(app.listener, {
      method: 'POST',
      path: `/_control${path.replace('RUN', runId)}`,
      headers: { authorization: `Bearer ${app.controlToken}`, 'content-type': type },
      body,
    });
    expect([response.status, response.bytes.length < 20_000]).toEqual([status, true]);
    expect({}).not.toHaveProperty('status');
  });
});

test('no refused call has changed anything', async () => {
  expect(await shown()).toEqual(before);
});

test('the codes of conflicts say what is in the way', async () => {
  const world = await control.expectError(409, `/worlds/${app.world.id}`, { method: 'DELETE' });
  expect(world.issues[0]?.code).toBe('default_world');
  const json = { status: 'completed' };
  const { id } = await control.run();
  const move = await control.expectError(409, `/runs/${id}/moves`, { json });
  expect(move.issues[0]).toMatchObject({
    code: 'invalid_transition',
    message:
      'a run cannot move from pending to completed: expected one of running, cancelled, rejected',
  });
});

test('keys such as __proto__ in an output remain data in the event and in the response', async () => {
  const path = emptyFolder();
  const onFolder = await startControlled({ store: { kind: 'folder', path } });
  const listener = await listenAt();
  await onFolder.endpoint(listener.url);
  const output = JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":2},"toString":3}');
  const { id } = await onFolder.run({ output });
  const [arrival] = await listener.arrived(1);
  const text = JSON.stringify(output);
  expect(arrival?.body.toString('utf8')).toContain(text);
  expect(JSON.stringify(await onFolder.expectOk(200, `/runs/${id}`))).toContain(text);
});
