import { describe, expect, test } from 'vitest';

import { impatientClock, startControlled } from '../lab/control/control-client.ts';
import { listenStopped } from './stopped-listener.ts';

describe('the deadline of an attempt', () => {
  test('ends a connection that is never established', async () => {
    const control = await startControlled({ clock: impatientClock() });
    const { url } = await listenStopped();
    await control.endpoint(url);
    await control.run();
    await control.advance(9_999);
    expect((await control.onlyDelivery()).attempts).toEqual([]);
    await control.advance(1);
    expect(await control.onlyDelivery()).toMatchObject({
      status: 'pending',
      attempts: [{ status: null, error: 'timeout', finishedAt: '2026-07-01T00:00:10.000Z' }],
    });
  });

  test('covers connecting, waiting for the head and reading the body together', async () => {
    const control = await startControlled({ clock: impatientClock() });
    const { url, resume, sendHead } = await listenStopped();
    await control.endpoint(url);
    await control.run();
    await control.advance(4_000);
    await resume();
    await control.advance(4_000);
    await sendHead();
    await control.advance(1_999);
    expect((await control.onlyDelivery()).attempts).toEqual([]);
    await control.advance(1);
    expect((await control.onlyDelivery()).attempts).toMatchObject([
      { status: null, error: 'timeout', finishedAt: '2026-07-01T00:00:10.000Z' },
    ]);
  });
});
