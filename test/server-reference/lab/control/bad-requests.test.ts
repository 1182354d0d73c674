import { afterAll, describe, expect, test } from 'vitest';

import { openApp } from '../../open-app.ts';
import { send } from '../../send.ts';
import { controlClient } from './control-client.ts';

const app = await openApp();
afterAll(() => app.close());
const control = controlClient(app);

async function post(body: string, type: string): Promise<number> {
  const headers = { authorization: `Bearer ${app.controlToken}`, 'content-type': type };
  const path = '/_control/runs';
  return (await send(app.listener, { method: 'POST', path, headers, body })).status;
}

describe('a wrong body is refused, and the error names the field', () => {
  test.each([
    ['/runs', { worldID: 'x' }, 'worldID'],
    ['/runs', { status: 'queued' }, 'status'],
    ['/runs', { triggerType: '' }, 'triggerType'],
    ['/runs', { origin: 7 }, 'origin'],
    ['/runs', [], '<root>'],
    ['/runs/x/moves', {}, 'status'],
    ['/worlds', { a: 1 }, 'a'],
    ['/webhook-endpoints', {}, 'url'],
    ['/webhook-endpoints', { url: 5 }, 'url'],
    ['/webhook-endpoints', { url: 'http://169.254.169.254/' }, 'url'],
    ['/webhook-endpoints', { url: 'ftp://x/' }, 'url'],
    [
      '/webhook-endpoints',
      { url: 'http://x/', headers: { 'webhook-id': 'x' } },
      'headers.webhook-id',
    ],
    ['/webhook-endpoints', { url: 'http://x/', headers: { 'a b': 'x' } }, 'headers["a b"]'],
    ['/webhook-endpoints', { url: 'http://x/', headers: { a: 1 } }, 'headers.a'],
    ['/clock/advance', {}, 'milliseconds'],
    ['/clock/advance', { milliseconds: -1 }, 'milliseconds'],
    ['/clock/advance', { milliseconds: 1.5 }, 'milliseconds'],
    ['/clock/advance', { milliseconds: 1e15 }, 'milliseconds'],
    ['/wait', {}, 'for'],
    ['/wait', { for: 'godot' }, 'for'],
    ['/wait', { for: 'delivery' }, 'id'],
    ['/wait', { for: 'idle', timeoutMilliseconds: 60_001 }, 'timeoutMilliseconds'],
    ['/wait', { for: 'delivery', id: 'x', status: 'running' }, 'status'],
  ])('%s %j', async (path, json, field) => {
    const { issues } = await control.expectError(400, path, { json });
    expect(issues.map((one) => one.field)).toContain(field);
    expect(new Set(issues.map((one) => one.code))).toEqual(new Set(['invalid_value']));
  });

  test('a query parameter that is unknown or repeated is refused', async () => {
    const misspelt = await control.expectError(400, '/deliveries?runID=x');
    expect(misspelt.issues[0]).toMatchObject({
      field: 'runID',
      message:
        'is an unknown query parameter; expected one of endpointId, eventId, runId, status, limit, cursor, order',
    });
    await control.expectError(400, '/deliveries?runId=x&runId=y');
    const unnamed = await control.expectError(400, '/deliveries?=x');
    expect(unnamed.issues[0]?.field).toBe('<root>');
  });

  test('bytes that are malformed JSON, of another content type or above the limit are refused', async () => {
    expect(await post('{"status":', 'application/json')).toBe(400);
    expect(await post('{}', 'text/plain')).toBe(400);
    expect(await post(`{"output":"${'x'.repeat(1_048_576)}"}`, 'application/json')).toBe(413);
  });
});

test.each([
  ['GET', '/runs/nothing', undefined],
  ['POST', '/runs/nothing/moves', { status: 'running' }],
  ['POST', '/runs', { worldId: 'nothing' }],
  ['POST', '/runs', { automationId: '__proto__' }],
  ['POST', '/runs', { deliveryFaults: [{ name: 'delay', endpointId: 'nothing' }] }],
  ['POST', '/webhook-endpoints', { url: 'http://x/', worldId: 'nothing' }],
  ['PATCH', '/webhook-endpoints/nothing', {}],
  ['DELETE', '/webhook-endpoints/constructor', undefined],
  ['POST', '/webhook-endpoints/nothing/test', {}],
  ['POST', '/deliveries/nothing/redeliver', {}],
  ['GET', '/deliveries/__proto__', undefined],
  ['GET', '/requests/constructor', undefined],
] as const)('an unknown id gets 404: %s %s %j', async (method, path, json) => {
  const { issues } = await control.expectError(404, path, { method, json });
  expect(issues[0]?.code).toBe('not_found');
});
