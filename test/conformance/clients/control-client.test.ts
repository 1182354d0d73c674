import { describe, expect, test } from 'vitest';

import { HttpControlClient } from '../../../conformance/src/clients/http-control-client.ts';
import { Redactor } from '../../../conformance/src/redaction/redactor.ts';

const WORLD = { id: 'world_1', tenantId: 'tenant_1', keys: { wildcard: 'key-0' }, fixtures: {} };

/** A client of a control interface that responds to everything with one body. */
function clientOf(body: unknown, status = 200): HttpControlClient {
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
  return new HttpControlClient({ url: 'http://c', token: 'x' }, session, new Redactor());
}

describe('a response of the control interface', () => {
  test('needs only the members that the suite reads, and may have more', async () => {
    const world = { ...WORLD, temporary: 'yes', links: [], fixtures: { other: 'x' } };
    expect(await clientOf(world).world()).toEqual(world);
    const run = { id: 'run-of-another-form', status: 'pending' };
    expect(await clientOf(run).run('x')).toEqual(run);
    const delivery = { id: 'd', eventId: 'e', status: 'ended', attempts: [{ startedAt: 'now' }] };
    expect(await clientOf({ data: [delivery] }).deliveries({})).toEqual([delivery]);
    await clientOf(null, 204).deleteEndpoint('x');
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
    await expect(clientOf(body).world()).rejects.toThrow(
      `GET /world on the control interface: expected a 2xx with a world, got ${difference}: ` +
        `${JSON.stringify(body)}. Send the members of control.yaml.`,
    );
  });

  test('with 401 names the token', async () => {
    await expect(clientOf({}, 401).clock()).rejects.toThrow(
      'GET /clock on the control interface: expected a 2xx with the clock, got 401 {}. Check --control-token.',
    );
  });
});
