import { describe, expect, test } from 'vitest';

import { differences } from '../../../../server-reference/src/lab/sinks/exchange.ts';
import {
  sentExchange,
  foreignExchange,
} from '../../../../server-reference/src/lab/sinks/exchange.ts';
import type { Arrived } from '../../../../server-reference/src/lab/sinks/exchange.ts';
import { posted } from './posted.ts';

const SENT = { 'X-Team': 'blue', 'content-length': '2', 'webhook-signature': 'v1,abc' };

function arrived(headers: Arrived['headers'], body: string): Arrived {
  const at = Date.parse('2026-07-01T00:00:00.000Z');
  const request = { method: 'POST', path: '/sink_1', headers, body: Buffer.from(body) };
  return { number: 1, at, ...request, complete: true, response: 200 };
}

function differing(headers: Arrived['headers'], body = '{}'): string[] {
  const exchange = sentExchange(posted({ headers: SENT, body: '{}' }));
  exchange.arrived = arrived(headers, body);
  return differences(exchange);
}

const AS_SENT: Arrived['headers'] = [
  ['Host', '127.0.0.1:1'],
  ['x-team', 'blue'],
  ['Content-Length', '2'],
  ['webhook-signature', 'v1,abc'],
  ['Connection', 'keep-alive'],
];

describe('an arrived request', () => {
  test('without changes has no difference, although the connection adds headers', () => {
    expect(differing(AS_SENT)).toEqual([]);
    expect(differing([...AS_SENT, ['Transfer-Encoding', 'chunked']])).toEqual([]);
  });

  test('is compared byte by byte in its body', () => {
    expect(differing(AS_SENT, '{ }')).toEqual(['body']);
    expect(differing(AS_SENT, '[]')).toEqual(['body']);
  });

  test('differs in headers that are changed, missing, added or repeated', () => {
    const changed = AS_SENT.map(([name, value]) =>
      name === 'webhook-signature' ? ([name, 'v1,def'] as const) : ([name, value] as const),
    );
    expect(differing(changed)).toEqual(['webhook-signature']);
    expect(differing(AS_SENT.filter(([name]) => name !== 'x-team'))).toEqual(['x-team']);
    expect(differing([...AS_SENT, ['X-Trace', '1']])).toEqual(['x-trace']);
    expect(differing([...AS_SENT, ['X-Team', 'blue']])).toEqual(['x-team']);
  });

  test('does not differ in the blanks around a value', () => {
    const exchange = sentExchange(posted({ headers: { 'X-Team': ' blue\t' } }));
    exchange.arrived = arrived([['X-Team', 'blue']], '');
    expect(differences(exchange)).toEqual([]);
  });

  test('has no difference when one of the two is missing', () => {
    const foreign = foreignExchange();
    foreign.arrived = arrived(AS_SENT, 'x');
    expect(differences(foreign)).toEqual([]);
    expect(differences(sentExchange(posted({ headers: SENT })))).toEqual([]);
  });
});
