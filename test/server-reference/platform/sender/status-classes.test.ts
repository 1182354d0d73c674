import { STATUS_CODES } from 'node:http';

import { expect, test } from 'vitest';

import { startControlled } from '../../lab/control/control-client.ts';
import { rawEndpoint } from './raw-endpoint.ts';

/** The contract's rule for each status, written by hand; an interim status is no response. */
function expected(status: number): readonly unknown[] {
  if (status === 101) return ['ended', 'final_status', status, false];
  if (status < 200) return ['pending', null, null, true];
  if (status < 300) return ['delivered', null, status, false];
  if (status < 400) return ['ended', 'redirect_not_followed', status, false];
  const retried = [408, 425, 429].includes(status) || status >= 500;
  return retried ? ['pending', null, status, true] : ['ended', 'final_status', status, false];
}

test('every status from 100 to 599 over a socket has the effect that the contract defines', async () => {
  const control = await startControlled();
  const statusById = new Map<string, number>();
  const url = await rawEndpoint((socket, request) => {
    const id = /webhook-id: (\S+)/i.exec(request.toString('latin1'))?.[1] ?? '';
    const status = 100 + statusById.size;
    statusById.set(id, status);
    const connection = status === 101 ? 'upgrade\r\nupgrade: x' : 'close';
    const reason = STATUS_CODES[status] ?? 'Unknown';
    const head = `HTTP/1.1 ${status} ${reason}\r\nconnection: ${connection}\r\n`;
    socket.end(`${head}Content-Length: 0\r\n\r\n`);
  });
  await control.endpoint(url);
  for (let batch = 0; batch < 10; batch += 1) {
    await Promise.all(Array.from({ length: 50 }, () => control.run()));
  }
  await control.expectOk(200, '/wait', { for: 'idle', timeoutMilliseconds: 30_000 });

  const deliveries = await control.deliveries();
  const outcomes = deliveries.map(({ eventId, status, endReason, attempts, nextAttemptAt }) => [
    statusById.get(eventId),
    [status, endReason, attempts[0]?.status, nextAttemptAt !== null],
    attempts.length,
  ]);
  expect(statusById.size).toBe(500);
  expect(outcomes.toSorted(([one], [other]) => Number(one) - Number(other))).toEqual(
    Array.from({ length: 500 }, (_, index) => [100 + index, expected(100 + index), 1]),
  );
});
