import { expect, test } from 'vitest';

import { createGate } from '../../../conformance/src/wire/gate.ts';
import type { Incoming } from '../../../conformance/src/http/message.ts';
import { Health } from '../../../conformance/src/wire/health.ts';
import { createPacer } from '../../../conformance/src/wire/rate.ts';

/** A clock that moves only when a test says so. */
function manualClock() {
  let now = 0;
  return {
    now: () => now,
    sleep: () => Promise.resolve(),
    advance(milliseconds: number): void {
      now += milliseconds;
    },
  };
}

const REQUEST = {
  outgoing: { method: 'GET', url: 'http://api.test/v1/files/1', headers: [], body: null },
  by: 'api.file.asked-for',
};
const OK: Incoming = { status: 200, headers: [], bytes: new Uint8Array() };

/** The notices of so many exchanges of this length, until the API is given up. */
async function exchanges(count: number, milliseconds: number, complete: boolean) {
  const clock = manualClock();
  const notices: string[] = [];
  const health = new Health(clock, (text) => notices.push(text));
  const { signal } = new AbortController();
  for (let sent = 0; sent < count; sent += 1) {
    health.requireResponses();
    const exchange = async (): Promise<Incoming> => {
      clock.advance(milliseconds);
      if (!complete) throw new Error('no response');
      return OK;
    };
    await health.watch('api', REQUEST, signal, exchange).catch(() => {});
  }
  return notices;
}

test('an API that is slow is told once, and asked to the end', async () => {
  expect(await exchanges(200, 9_000, true)).toEqual([
    'The API takes 9.0 s for each request: the run takes as much longer. --only runs a part.',
  ]);
  expect(await exchanges(200, 500, true)).toEqual([]);
});

test('an API that gives no complete response is given up after a minute', async () => {
  await expect(exchanges(200, 10_000, false)).rejects.toMatchObject({
    code: 'could_not_run',
    message: 'the API gave a complete response to 0 of 6 requests, after 10.0 s each',
  });
});

test('a wait that a target asks for is told, at most once in ten seconds', () => {
  const clock = manualClock();
  const notices: string[] = [];
  const pacers = { api: createPacer(null, clock), receiver: createPacer(null, clock) };
  const origins = { api: [], control: [], receiver: [], listener: [] };
  const gate = createGate(
    { allowWrites: false, allowDeletes: false, origins },
    {
      maxRequests: null,
      proxy: null,
      pacers,
      clock,
      hooks: {},
      notice: (text) => notices.push(text),
    },
  );
  gate.pause(250);
  gate.pause(4_100);
  gate.pause(5_000, 'receiver');
  clock.advance(10_000);
  gate.pause(2_000, 'receiver');
  expect(notices).toEqual([
    'The API asks to wait: nothing is sent to it for 5 s.',
    'The receiver asks to wait: nothing is sent to it for 2 s.',
  ]);
});
