import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { Session } from '../../bin/commands/listen/session.ts';
import type { SessionOutput } from '../../bin/commands/listen/session.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('an app that has not responded for 5 s is reported, and its late response still counts', async () => {
  const app = createServer();
  app.listen(0, '127.0.0.1');
  await once(app, 'listening');
  const { port } = app.address() as AddressInfo;
  const slow: number[] = [];
  const output: SessionOutput = {
    ignored: () => {},
    arrived: () => {},
    slow: ({ number }, seconds) => void slow.push(number, seconds),
    responded: () => {},
    app: () => {},
  };
  const session = new Session({
    judge: () => ({ code: 'valid', status: 204, secret: 1, explanation: null }),
    forwardTo: `http://127.0.0.1:${port}/`,
    respond: undefined,
    saved: null,
    output,
  });
  const asked = once(app, 'request');
  const headers = [['webhook-id', 'whev_1']] as const;
  const received = session.receive({ headers, body: Buffer.from('{}'), receivedAt: 0 });
  const [, response] = (await asked) as [unknown, ServerResponse];

  vi.advanceTimersByTime(4_999);
  expect(slow).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(slow).toEqual([1, 55]);

  response.writeHead(202).end();
  expect(await received).toMatchObject({ status: 202 });
  session.close();
  app.close();
});
