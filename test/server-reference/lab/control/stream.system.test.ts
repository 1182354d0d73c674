import { expect, test } from 'vitest';

import { startControlled } from './control-client.ts';
import { openStream } from './event-stream.ts';

// One run of 50 endpoints, each with 8 attempts, is 851 rows. The URLs make rows of 6 KB: a socket holds up to
// 37 MB of them.
const ENDPOINTS = 50;
const RUNS = 30;
const URL_OF_ENDPOINT = `http://127.0.0.1:1/${'☃'.repeat(1_900)}`;

test('an id that is too old and a reader that is too slow get reset', async () => {
  const control = await startControlled({ retryProfile: 'instant' });
  for (let made = 0; made < ENDPOINTS; made += 1) await control.endpoint(URL_OF_ENDPOINT);
  const slow = await openStream(control.server);
  const ready = (await slow.next()) ?? expect.unreachable();
  for (let made = 0; made < RUNS; made += 1) {
    await control.run();
    await control.idle();
  }
  await control.advance(86_400_000);
  const late = await openStream(control.server, ready.id);
  expect(await late.next()).toMatchObject({ event: 'reset', data: { reason: 'too_old' } });
  // On a busy machine, the reader is disconnected before it reads on; else it gets reset.
  let last = ready;
  let next = await slow.next();
  for (; next !== null && next.event !== 'reset'; next = await slow.next()) last = next;
  if (next === null) next = await (await openStream(control.server, last.id)).next();
  expect(next?.event).toBe('reset');
});
