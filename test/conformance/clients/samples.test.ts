import { expect, test } from 'vitest';

import type { ApiResponse } from '../../../conformance/src/clients/api-client.ts';
import { Samples } from '../../../conformance/src/clients/samples.ts';

function response(status: number): ApiResponse {
  return {
    status,
    headers: [],
    header: () => undefined,
    bytes: new Uint8Array(1),
    text: '',
    json: {},
    exchange: {
      sentBy: 'suite',
      request: { method: 'GET', url: '', headers: [], body: null },
      response: null,
    },
  };
}

/** A target that answers in this order, the last one for ever. */
function target(...statuses: readonly number[]): {
  sent: number;
  readonly send: () => Promise<ApiResponse>;
} {
  const own = {
    sent: 0,
    send: async () => {
      own.sent += 1;
      return response(statuses[own.sent - 1] ?? statuses.at(-1) ?? 0);
    },
  };
  return own;
}

test('eight checks that want a sample at once share one success', async () => {
  const [samples, api] = [new Samples(), target(200)];
  const all = await Promise.all(Array.from({ length: 8 }, () => samples.get('a', api.send)));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
  expect(api.sent).toBe(1);
});

test('a single 500 reaches one of eight checks, and none that asks later', async () => {
  const [samples, api] = [new Samples(), target(500, 200)];
  const all = await Promise.all(Array.from({ length: 8 }, () => samples.get('a', api.send)));
  expect(all.map(({ status }) => status).filter((status) => status === 500)).toHaveLength(1);
  expect((await samples.get('a', api.send)).status).toBe(200);
  expect(api.sent).toBe(2);
});

test('an operation that always fails fails for every check', async () => {
  const [samples, api] = [new Samples(), target(500)];
  const all = await Promise.all(Array.from({ length: 3 }, () => samples.get('a', api.send)));
  expect(all.map(({ status }) => status)).toEqual([500, 500, 500]);
});

test('a lost request is lost for those that wait for it, and sent again later', async () => {
  const [samples, api] = [new Samples(), target(200)];
  const lost = samples.get('a', () => Promise.reject(new Error('lost')));
  await expect(lost).rejects.toThrow('lost');
  expect((await samples.get('a', api.send)).status).toBe(200);
});
