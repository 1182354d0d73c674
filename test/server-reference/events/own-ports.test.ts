import { createServer, virtualClock } from '@hookproof/server-reference';
import { describe, expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { freePort } from '../../free-port.ts';
import { controlClient, START, startControlled } from '../lab/control/control-client.ts';

describe('the server sends no event to itself', () => {
  test('an endpoint at the port of the server is refused, also by a change', async () => {
    const control = await startControlled();
    const good = await control.endpoint('http://127.0.0.1:1/');
    const { port } = new URL(control.server.baseUrl);
    const url = `http://localhost:${port}/_control/worlds`;
    const create = await control.expectError(400, '/webhook-endpoints', { json: { url } });
    const change = await control.expectError(400, `/webhook-endpoints/${good.id}`, {
      method: 'PATCH',
      json: { url },
    });
    for (const { issues } of [create, change]) {
      expect(issues).toMatchObject([
        {
          field: 'url',
          code: 'invalid_value',
          message: expect.stringMatching(
            /^points to .* port \d+, a port of this server,.*other ports of this machine are allowed\.$/,
          ),
        },
      ]);
    }
    expect(await control.expectOk(200, '/webhook-endpoints')).toMatchObject({ data: [good] });
  });

  test('an endpoint at the port of the app is refused', async () => {
    const control = await startControlled({ appPort: 0 });
    const { appUrl, baseUrl } = control.server;
    expect(appUrl).not.toBe(baseUrl);
    for (const url of [appUrl, baseUrl]) {
      await control.expectError(400, '/webhook-endpoints', { json: { url: `${url}/` } });
    }
  });
});

describe('a delivery to the control interface of its own server ends as refused', () => {
  test.each([
    ['127.0.0.1', 'port'],
    ['[::ffff:127.0.0.1]', 'port'],
    ['0.0.0.0', 'port'],
    ['localhost', 'port'],
    ['127.0.0.1', 'appPort'],
    ['localhost', 'appPort'],
  ] as const)(
    'to %s, where the server listens since a restart (%s), with its token as a custom header',
    async (host, which) => {
      const store = { kind: 'folder', path: emptyFolder() } as const;
      const first = await createServer({ store, clock: virtualClock({ now: START }) });
      const port = await freePort();
      const url = `http://${host}:${port}/_control/webhook-endpoints`;
      const headers = { Authorization: `Bearer ${first.controlToken}` };
      await controlClient(first).endpoint(url, { headers });
      await controlClient(first).run();
      await controlClient(first).idle();
      expect(await controlClient(first).onlyDelivery()).toMatchObject({ status: 'pending' });
      await first.close();

      const clock = virtualClock({ now: START + 60_000, stallTimeoutMilliseconds: 30_000 });
      const second = await createServer({ store, clock, [which]: port });
      onTestFinished(() => second.close());
      const control = controlClient(second);
      await control.idle();
      const delivery = await control.onlyDelivery();
      expect(delivery).toMatchObject({
        status: 'ended',
        endReason: 'target_refused',
        attempts: [
          {},
          {
            webhookTimestamp: null,
            status: null,
            error: 'target_refused',
            detail: expect.stringContaining('a port of this server, whose control interface'),
          },
        ],
      });
    },
  );
});
