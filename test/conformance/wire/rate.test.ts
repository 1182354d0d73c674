import { NoResponse } from '@hookproof/conformance';
import { describe, expect, test } from 'vitest';

import type { Incoming } from '../../../conformance/src/http/message.ts';
import {
  createPacer,
  retryAfterMilliseconds,
  sendWithRetries,
} from '../../../conformance/src/wire/rate.ts';
import type { MonotonicClock } from '../../../conformance/src/wire/rate.ts';
import { isLostConnection } from '../../../conformance/src/wire/transport.ts';

/** A clock that only sleeping moves. */
function sleepingClock(): MonotonicClock {
  let now = 0;
  return {
    now: () => now,
    sleep(milliseconds, signal) {
      signal.throwIfAborted();
      now += milliseconds;
      return Promise.resolve();
    },
  };
}

const never = new AbortController().signal;

async function turns(perSecond: number | null, count: number): Promise<number[]> {
  const clock = sleepingClock();
  const pacer = createPacer(perSecond, clock);
  return Promise.all(
    Array.from({ length: count }, () => pacer.turn(never).then(() => clock.now())),
  );
}

describe('a pacer', () => {
  test('spreads turns evenly', async () => {
    expect(await turns(5, 4)).toEqual([0, 200, 400, 600]);
  });

  test('adds no delay without a rate', async () => {
    expect(await turns(null, 3)).toEqual([0, 0, 0]);
  });

  test('delays every turn during a pause and keeps its rate afterwards', async () => {
    const clock = sleepingClock();
    const pacer = createPacer(5, clock);
    await pacer.turn(never);
    pacer.pause(1_000);
    const after = [pacer.turn(never), pacer.turn(never)].map((turn) =>
      turn.then(() => clock.now()),
    );
    expect(await Promise.all(after)).toEqual([1_000, 1_200]);
  });

  test('continues with the next turn after an aborted one', async () => {
    const pacer = createPacer(5, sleepingClock());
    await pacer.turn(never);
    const given = pacer.turn(AbortSignal.abort(new Error('gave up')));
    const next = pacer.turn(never);
    await expect(given).rejects.toThrow('gave up');
    await expect(next).resolves.toBeUndefined();
  });
});

const NOW = Date.parse('2026-01-01T00:00:00Z');

test.each([
  ['0', 0],
  ['7', 7_000],
  [' 7 ', 7_000],
  ['Thu, 01 Jan 2026 00:00:05 GMT', 5_000],
  ['Thu, 01 Jan 2026 00:00:00 GMT', 0],
  ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
  [undefined, 250],
  ['', 250],
  ['soon', 250],
])('Retry-After %j means %i ms', (header, milliseconds) => {
  expect(retryAfterMilliseconds(header, NOW)).toBe(milliseconds);
});

test('a wait that is not asked for doubles with each attempt', () => {
  expect([1, 2, 3, 4].map((attempt) => retryAfterMilliseconds(undefined, NOW, attempt))).toEqual([
    250, 500, 1_000, 2_000,
  ]);
});

function page(status: number): Incoming {
  const bytes = Buffer.from('<h1>gateway</h1>');
  return { status, headers: [['content-type', 'text/html']], bytes };
}

describe('an error of a gateway', () => {
  const envelope: Incoming = { status: 503, headers: [], bytes: Buffer.from('{"issues":[]}') };
  const fine: Incoming = { status: 200, headers: [], bytes: new Uint8Array() };

  async function statusAfter(method: string, responses: readonly Incoming[]): Promise<number> {
    const left = [...responses];
    const send = () => Promise.resolve(left.shift() ?? fine);
    const outgoing = { method, url: 'http://api.test/v1/files/1', headers: [], body: null };
    return (await sendWithRetries(outgoing, { send, pause: () => {}, now: () => NOW })).status;
  }

  test.each([502, 503, 504])('%s: a request that reads is sent again', async (status) => {
    expect(await statusAfter('GET', [page(status), page(status), page(status)])).toBe(200);
  });

  test('the fourth is final, and says nothing about the API', async () => {
    const lasting = statusAfter('GET', [page(502), page(502), page(502), page(502)]);
    await expect(lasting).rejects.toThrow('still got 502 on attempt 4');
  });

  test.each([502, 504])('%s: a request that writes is not sent again', async (status) => {
    const sent = statusAfter('PATCH', [page(status)]);
    await expect(sent).rejects.toThrow(
      `got ${status} from a gateway: the API may have processed the request or not`,
    );
    await expect(sent).rejects.toSatisfy(isLostConnection);
  });

  test('a read that is lost on new connections too is not repeated with its check', async () => {
    const cause = Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    let sent = 0;
    const send = () => {
      sent += 1;
      return Promise.reject(new NoResponse('no response from http://api.test: gone', { cause }));
    };
    const outgoing = { method: 'GET', url: 'http://api.test/v1', headers: [], body: null };
    const lost = sendWithRetries(outgoing, { send, pause: () => {}, now: () => NOW });
    await expect(lost).rejects.toThrow('gone, also on 3 new connections');
    await expect(lost).rejects.not.toSatisfy(isLostConnection);
    expect(sent).toBe(4);
  });

  test('with 503 the request was not processed, whoever responds', async () => {
    expect(await statusAfter('PATCH', [page(503), page(503)])).toBe(200);
    expect(await statusAfter('PATCH', [envelope, envelope])).toBe(200);
  });
});
