import { expect, test } from 'vitest';

import { realClock, virtualClock } from '@hookproof/server-reference';

import { START, startControlled } from '../control/control-client.ts';
import { listenAt } from '../../events/endpoint-listener.ts';
import { respondToWhole, bodyOf, rawListener } from './raw-listener.ts';

/** An `advance` that waits for its timeout would outlast the test. */
const neverImpatient = (): ReturnType<typeof virtualClock> =>
  virtualClock({ now: START, stallTimeoutMilliseconds: 600_000 });

/** A delivery whose body is sent in five pieces over that time. */
async function dripInFive(milliseconds: number) {
  const clock = neverImpatient();
  const control = await startControlled({ clock });
  const listener = await rawListener(respondToWhole);
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'slow-drip', milliseconds, pieces: 5 });
  await control.run();
  return { clock, control, listener };
}

test('the body arrives in pieces, each at its time, and is complete in the end', async () => {
  const { clock, control, listener } = await dripInFive(8_000);
  const { payload } = await control.onlyEvent();
  const lengths: number[] = [];
  for (let piece = 1; piece <= 5; piece += 1) {
    const most = Math.floor((piece * payload.length) / 5);
    await listener.until(([one]) => one !== undefined && bodyOf(one).length >= most);
    lengths.push(bodyOf(listener.connections[0] ?? expect.unreachable()).length);
    if (piece < 5) await clock.advance(2_000);
  }
  expect(lengths).toEqual([1, 2, 3, 4, 5].map((piece) => Math.floor((piece * payload.length) / 5)));
  await control.idle();
  expect(bodyOf(listener.connections[0] ?? expect.unreachable())).toBe(payload);
  expect(await control.onlyDelivery()).toMatchObject({
    status: 'delivered',
    attempts: [{ deliveryFault: 'slow-drip', status: 204, finishedAt: '2026-07-01T00:00:08.000Z' }],
  });
});

test('advance waits for a drip to end, and for the response after the last piece', async () => {
  const clock = neverImpatient();
  const control = await startControlled({ clock });
  const listener = await listenAt();
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', {
    name: 'slow-drip',
    milliseconds: 9_999,
    pieces: 1_000,
  });
  const passed: number[] = [];
  clock.setTimeout(() => void passed.push(listener.arrivals.length), 9_998);
  clock.setTimeout(() => void passed.push(listener.arrivals.length), 10_001);
  await control.run();
  await clock.advance(20_000);
  expect(passed).toEqual([0, 1]);
  expect((await control.onlyDelivery()).attempts).toMatchObject([
    { status: 204, finishedAt: '2026-07-01T00:00:09.999Z' },
  ]);
});

test('the deadline of the attempt ends a drip', async () => {
  const { clock, control, listener } = await dripInFive(40_000);
  await clock.advance(10_000);
  await listener.until(([connection]) => connection?.ended === true);
  const [cut = expect.unreachable()] = listener.connections;
  const before = bodyOf(cut).length;
  expect((await control.onlyDelivery()).attempts).toMatchObject([
    { deliveryFault: 'slow-drip', error: 'timeout', finishedAt: '2026-07-01T00:00:10.000Z' },
  ]);
  await clock.advance(60_000);
  await control.idle();
  expect(bodyOf(cut)).toHaveLength(before);
  expect(await control.onlyDelivery()).toMatchObject({ status: 'delivered' });
});

test('a response before the whole body ends the attempt and its connection', async () => {
  const clock = neverImpatient();
  const control = await startControlled({ clock });
  const listener = await rawListener((text) =>
    text.includes('\r\n\r\n{') ? 'HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n' : null,
  );
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', { name: 'slow-drip' });
  await control.run();
  const { id } = await control.onlyDelivery();
  await control.expectOk(200, '/wait', { for: 'delivery', id });
  await listener.until(([connection]) => connection?.ended === true);
  expect(await control.onlyDelivery()).toMatchObject({
    status: 'ended',
    attempts: [{ status: 401, deliveryFault: 'slow-drip' }],
  });
});

test('a drip works on a real clock, and close() leaves nothing of it', async () => {
  const control = await startControlled({ clock: realClock() });
  const listener = await rawListener(respondToWhole);
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', {
    name: 'slow-drip',
    milliseconds: 30,
    pieces: 3,
  });
  await control.expectOk(201, '/delivery-faults', { name: 'slow-drip', milliseconds: 86_400_000 });
  await control.run();
  const { id } = await control.onlyDelivery();
  await control.expectOk(200, '/wait', { for: 'delivery', id, status: 'delivered' });
  await control.run();
  await listener.until((connections) => connections.length === 2);
  await control.server.close();
  await listener.until(([, second]) => second?.ended === true);
});
