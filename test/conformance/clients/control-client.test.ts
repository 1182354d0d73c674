import { describe, expect, test } from 'vitest';

import { openControl } from '../../../conformance/src/clients/control-client.ts';
import type { ControlClient } from '../../../conformance/src/clients/control-client.ts';
import { Redactor } from '../../../conformance/src/redaction/redactor.ts';

const WORLD = { id: 'world_1', tenantId: 'tenant_1', keys: { wildcard: 'key-0' }, fixtures: {} };

/** A client of a control interface that responds to everything with one body. */
function clientOf(body: unknown, status = 200): ControlClient {
  const bytes = Buffer.from(JSON.stringify(body));
  const session = {
    send: async () => ({ status, headers: [], bytes }),
    refusals: [],
    used: new Set<never>(),
    waitedMilliseconds: 0,
    wait: () => Promise.resolve(),
    signal: new AbortController().signal,
    close: async () => {},
  };
  return openControl({ url: 'http://c', token: 'x' }, session, new Redactor());
}

describe('a response of the control interface', () => {
  test('needs only the members that the suite reads, and may have more', async () => {
    const world = { ...WORLD, temporary: 'yes', links: [], fixtures: { other: 'x' } };
    expect(await clientOf(world).getWorld()).toEqual(world);
    const run = { id: 'run-of-another-form', status: 'pending' };
    expect(await clientOf(run).readRun({ runId: 'x' })).toEqual(run);
    const delivery = { id: 'd', eventId: 'e', status: 'ended', attempts: [{ startedAt: 'now' }] };
    const list = { data: [delivery] };
    expect(await clientOf(list).listDeliveries({})).toEqual(list);
    await clientOf(null, 204).deleteWebhookEndpoint({ id: 'x' });
  });

  test.each([
    [{ ...WORLD, tenantId: undefined }, 'a body without tenantId'],
    [{ ...WORLD, keys: { wildcard: 1 } }, '/keys/wildcard that is not of type string'],
    [{ ...WORLD, keys: { unknown: ['key-1'] } }, '/keys/unknown that is not of type string'],
    [
      { ...WORLD, fixtures: { workflowId: null } },
      '/fixtures/workflowId that is not of type string',
    ],
    [null, 'a body that is not of type object'],
  ])('that differs from control.yaml is named: %j', async (body, difference) => {
    await expect(clientOf(body).getWorld()).rejects.toThrow(
      `GET /world on the control interface: expected a 2xx with World of control.yaml, got ${difference}: ` +
        `${JSON.stringify(body)}. Send the members of control.yaml.`,
    );
  });

  test.each([
    { data: [{ id: 'endpoint_1', url: 'http://e', secret: 'whsec_7hJmKx2QpLw9', worldId: 7 }] },
    { data: [{ keys: { wildcard: { value: 'whsec_7hJmKx2QpLw9' } } }] },
  ])('of a wrong shape shows no secret: %j', async (body) => {
    await expect(clientOf(body).listWebhookEndpoints()).rejects.toThrow(
      /"\$HOOKPROOF_(?:ENDPOINT_SECRET|KEY)"/,
    );
  });

  test('with 401 names the token', async () => {
    await expect(clientOf({}, 401).getClock()).rejects.toThrow(
      'GET /clock on the control interface: expected a 2xx with Clock of control.yaml, got 401 {}. Check --control-token.',
    );
  });
});
