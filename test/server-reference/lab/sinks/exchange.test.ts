import { array, assert, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  MAX_EXCHANGES,
  MAX_EXCHANGE_BYTES,
  exchangeOver,
  sentExchange,
  foreignExchange,
  trimExchanges,
} from '../../../../server-reference/src/lab/sinks/exchange.ts';
import { posted } from './posted.ts';

function over(port: number | undefined): ReturnType<typeof sentExchange> {
  return sentExchange(posted({ port: () => port }));
}

describe('an arrival is matched to', () => {
  test('the POST over its connection, whatever was sent before, after or at the same moment', () => {
    const exchanges = [over(1001), over(1002), over(undefined), over(1003)];
    expect(exchangeOver(exchanges, 1002)).toBe(exchanges[1]);
    expect(exchangeOver(exchanges, 1001)).toBe(exchanges[0]);
  });

  test('nothing, without a POST over its connection', () => {
    const exchanges = [over(1001), over(undefined), foreignExchange()];
    expect(exchangeOver(exchanges, 1002)).toBeUndefined();
    expect(exchangeOver(exchanges, undefined)).toBeUndefined();
  });

  test('the last POST over a reused connection', () => {
    const first = over(1001);
    first.begun = true;
    const second = over(1001);
    expect(exchangeOver([first, second], 1001)).toBe(second);
    second.begun = true;
    expect(exchangeOver([first, second], 1001)).toBeUndefined();
  });

  test('the last POST from its port, where an earlier one never arrived', () => {
    const exchanges = [over(1001), over(1001)];
    expect(exchangeOver(exchanges, 1001)).toBe(exchanges[1]);
  });
});

describe('a list of exchanges', () => {
  test(`keeps the newest ${MAX_EXCHANGES}`, () => {
    const exchanges = Array.from({ length: MAX_EXCHANGES + 3 }, foreignExchange);
    const newest = exchanges.slice(3);
    trimExchanges(exchanges);
    expect(exchanges).toHaveLength(MAX_EXCHANGES);
    expect(exchanges.every((exchange, index) => exchange === newest[index])).toBe(true);
  });

  test('keeps the newest exchanges up to its maximum of bytes', () => {
    const sizes = array(integer({ min: 0, max: MAX_EXCHANGE_BYTES }), { maxLength: 8 });
    const big = Buffer.alloc(MAX_EXCHANGE_BYTES);
    assert(
      property(sizes, (bytes) => {
        const exchanges = bytes.map((size) => {
          const { request, ...rest } = posted();
          return sentExchange({ ...rest, request: { ...request, body: big.subarray(0, size) } });
        });
        trimExchanges(exchanges);
        const kept = exchanges.length;
        const sum = (count: number): number =>
          bytes.slice(-count).reduce((total, size) => total + size, 0);
        if (kept > 0) expect(sum(kept)).toBeLessThanOrEqual(MAX_EXCHANGE_BYTES);
        if (kept < bytes.length) expect(sum(kept + 1)).toBeGreaterThan(MAX_EXCHANGE_BYTES);
      }),
    );
  });

  test('counts headers and arrived bodies as bytes', () => {
    const half = 'x'.repeat(MAX_EXCHANGE_BYTES / 2);
    const exchanges = [foreignExchange(), foreignExchange(), sentExchange(posted())];
    for (const exchange of exchanges) {
      exchange.arrived = {
        number: 1,
        at: 0,
        method: 'POST',
        path: '/sink_1',
        headers: [['x-half', half]],
        body: Buffer.alloc(MAX_EXCHANGE_BYTES / 4),
        complete: true,
        response: null,
      };
    }
    trimExchanges(exchanges);
    expect(exchanges).toHaveLength(1);
  });
});
