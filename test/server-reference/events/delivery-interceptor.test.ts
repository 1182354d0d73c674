import { createServer, virtualClock } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

test('bytes that an interceptor changes reach no other endpoint', async () => {
  const sent: string[] = [];
  const server = await createServer({
    store: { kind: 'memory' },
    clock: virtualClock({ now: Date.parse('2026-07-01T00:00:00Z') }),
    async deliveryInterceptor({ request }) {
      sent.push(request.body.toString());
      request.body.fill('x');
      return { status: 204, headers: [], body: null, error: null, detail: null, sent: request };
    },
  });
  onTestFinished(() => server.close());
  const order = async (path: string, body: object): Promise<void> => {
    const headers = {
      authorization: `Bearer ${server.controlToken}`,
      'content-type': 'application/json',
    };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(server.controlUrl + path, init);
    expect(response.ok, await response.text()).toBe(true);
  };
  await order('/webhook-endpoints', { url: 'http://127.0.0.1:9/one' });
  await order('/webhook-endpoints', { url: 'http://127.0.0.1:9/two' });
  await order('/runs', {});
  await order('/clock/advance', { milliseconds: 1 });
  expect(sent).toHaveLength(2);
  expect(sent[1]).toBe(sent[0]);
  expect(sent[0]).toContain('"run.created"');
});
