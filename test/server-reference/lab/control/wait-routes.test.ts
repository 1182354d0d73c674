import { describe, expect, test } from 'vitest';

import { listenAt, statuses } from '../../events/endpoint-listener.ts';
import { impatientClock, startControlled } from './control-client.ts';
import type { ControlClient } from './control-client.ts';

async function timedOut(control: ControlClient, condition: object): Promise<string | undefined> {
  const json = { ...condition, timeoutMilliseconds: 0 };
  const { issues } = await control.expectError(408, '/wait', { json });
  return issues[0]?.message;
}

describe('a wait', () => {
  test('for a delivery ends when both its status and its attempts match', async () => {
    const control = await startControlled();
    const listener = await listenAt(statuses(503, 204));
    await control.endpoint(listener.url);
    await control.run();
    await control.idle();
    const { id } = await control.onlyDelivery();
    const wait = { for: 'delivery', id };
    await control.expectOk(200, '/wait', { ...wait, attempts: 1 });
    for (const more of [{}, { attempts: 2 }, { status: 'delivered', attempts: 1 }]) {
      expect(await timedOut(control, { ...wait, ...more })).toContain('pending after 1 attempts');
    }
    const settled = control.expectOk(200, '/wait', wait);
    await control.advance(400);
    expect(await settled).toMatchObject({ id, status: 'delivered' });
    await control.expectOk(200, '/wait', { ...wait, status: 'delivered', attempts: 2 });
    const three = { ...wait, status: 'delivered', attempts: 3 };
    expect(await timedOut(control, three)).toContain('delivered after 2 attempts');
  });

  test('gets 408 after its timeout, with the current state', async () => {
    const control = await startControlled();
    await control.endpoint((await listenAt(statuses(503))).url);
    await control.run();
    await control.idle();
    const { id } = await control.onlyDelivery();
    const { issues, hint } = await control.expectError(408, '/wait', {
      json: { for: 'delivery', id, timeoutMilliseconds: 10 },
    });
    expect(issues[0]).toMatchObject({
      code: 'timed_out',
      message:
        'the awaited state was not reached within 10 ms: the delivery is pending after 1 attempts',
    });
    expect(hint).toContain('/clock/advance');
  });

  test('for idle continues while an attempt hangs, and ends while a retry is scheduled', async () => {
    const control = await startControlled({ clock: impatientClock() });
    const listener = await listenAt((response, number) => {
      response.statusCode = 503;
      if (number === 1) response.end();
    });
    await control.endpoint(listener.url);
    await control.run();
    expect(await control.expectOk(200, '/wait', { for: 'idle' })).toEqual({ idle: true });
    await control.advance(400);
    await listener.arrived(2);
    await control.expectError(408, '/wait', { json: { for: 'idle', timeoutMilliseconds: 10 } });
  });

  test('does not delay close()', async () => {
    const control = await startControlled();
    await control.endpoint((await listenAt(statuses(503))).url);
    await control.run();
    await control.idle();
    const { id } = await control.onlyDelivery();
    const waiting = control.call('/wait', {
      json: { for: 'delivery', id, timeoutMilliseconds: 60_000 },
    });
    waiting.catch(() => {});
    await control.run();
    await control.server.close();
    await expect(waiting).rejects.toThrow();
  });
});
