import type { RunSnapshot } from '@hookproof/spec';
import { describe, expect, test } from 'vitest';

import { listenAt } from '../../events/endpoint-listener.ts';
import { impatientClock, startControlled } from './control-client.ts';

describe('a wait', () => {
  test('ends with the change that it waits for', async () => {
    const control = await startControlled();
    const { id } = await control.run();
    const waiting = control.expectOk<RunSnapshot>(200, '/wait', {
      for: 'run',
      id,
      status: 'running',
    });
    const terminal = control.expectOk<RunSnapshot>(200, '/wait', { for: 'run', id });
    await control.move(id, 'running');
    expect(await waiting).toMatchObject({ id, status: 'running' });
    const json = { for: 'run', id, status: 'pending', timeoutMilliseconds: 0 };
    await control.expectError(408, '/wait', { json });
    await control.move(id, 'failed');
    expect(await terminal).toMatchObject({ id, status: 'failed' });
  });

  test('gets 408 after its timeout, with the current state', async () => {
    const control = await startControlled();
    const { id } = await control.run();
    const { issues, hint } = await control.expectError(408, '/wait', {
      json: { for: 'run', id, timeoutMilliseconds: 10 },
    });
    expect(issues[0]).toMatchObject({
      code: 'timed_out',
      message: 'the awaited state was not reached within 10 ms: the run is pending',
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
    const { id } = await control.run();
    const waiting = control.call('/wait', {
      json: { for: 'run', id, timeoutMilliseconds: 60_000 },
    });
    waiting.catch(() => {});
    await control.run();
    await control.server.close();
    await expect(waiting).rejects.toThrow();
  });
});
