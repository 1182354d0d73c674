import { describe, expect, test } from 'vitest';

import { runConformance } from '@hookproof/conformance';
import type { ConformanceOptions } from '@hookproof/conformance';

import { planFrom } from '../../../conformance/src/options/plan.ts';

const baseUrl = 'https://api.example';
const receiver = { url: 'https://hook.example/in', secret: 'whsec_0123456789' };

const WRONG: readonly ConformanceOptions[] = [
  {},
  { appUrl: baseUrl },
  { baseUrl: 'api.example' },
  { baseUrl: 'file:///etc' },
  { baseUrl: 'https://me:secret@api.example' },
  { baseUrl: 'https://api.example?a=1' },
  { baseUrl, key: 'short' },
  { baseUrl, key: 'Bearer key-0123456789' },
  { baseUrl, key: 'key-0123456789\n' },
  { receiver: { ...receiver, secret: 'whsec' } },
  { baseUrl, fixtures: { openReviewID: 'x' } },
  { baseUrl, fixtures: { runId: '' } },
  { baseUrl, fixtures: { keys: 'x' } },
  { baseUrl, fixtures: { keys: { admin: 'key-0123456789' } } },
  { baseUrl, requestsPerSecond: 0 },
  { baseUrl, maxRequests: Number.NaN },
  { baseUrl, only: ['api.no'] },
  { baseUrl, fuzz: { seconds: 0, seed: 1 } },
  { baseUrl, fuzz: { seconds: 1, seed: -1 } },
  { receiver, fuzz: { seconds: 1, seed: 1 } },
];

test('wrong options are refused by name', async () => {
  const messages = await Promise.all(
    WRONG.map((options) =>
      runConformance(options).catch((error: unknown) =>
        error instanceof TypeError ? error.message : error,
      ),
    ),
  );
  expect(messages).toMatchInlineSnapshot(`
    [
      "No side is selected: add baseUrl (API), sender: true (sender) or receiver (receiver).",
      "appUrl requires baseUrl. Add it.",
      "baseUrl must be a URL such as https://api.example.com, got "api.example".",
      "baseUrl must be a URL such as https://api.example.com, got "file:///etc".",
      "baseUrl must not contain a user name or password: remove them.",
      "baseUrl must not contain a query or fragment, got "https://api.example?a=1".",
      "key must have at least 8 characters, so that reports can hide it.",
      "key must be the key alone, got a text that begins with "Bearer ". Leave "Bearer " out: the suite adds it.",
      "key must contain visible ASCII characters only. Check for a trailing line break.",
      "receiver.secret must have at least 8 characters, so that reports can hide it.",
      "Unknown fixtures.openReviewID. Did you mean openReviewId?",
      "fixtures.runId must be a non-empty string.",
      "fixtures.keys must be an object of keys by name, got x.",
      "Unknown fixtures.keys.admin; expected one of main, reviewer, ocr, workflow, otherTenant.",
      "requestsPerSecond must be a number greater than 0, got 0.",
      "maxRequests must be a number greater than 0, got NaN.",
      "only: no check has the id or id prefix "api.no".",
      "fuzz.seconds must be a number greater than 0, got 0.",
      "fuzz.seed must be an integer from 0, got -1.",
      "fuzz requires baseUrl. Add it.",
    ]
  `);
});

describe('the plan', () => {
  test('is read-only by default, with limits on rate and number of requests', () => {
    expect(planFrom({ baseUrl: 'https://api.example/' })).toEqual({
      sides: ['api'],
      baseUrl: 'https://api.example',
      appUrl: null,
      command: null,
      keys: {},
      fixtures: {},
      headers: [],
      proxy: null,
      control: null,
      receiver: null,
      steps: null,
      listen: { host: '127.0.0.1', port: 0, publicUrl: null, tls: null },
      allowWrites: false,
      allowDeletes: false,
      only: [],
      skip: [],
      requestsPerSecond: 5,
      deliveriesPerSecond: null,
      maxRequests: 300,
      concurrency: 8,
      orderSeed: null,
      retryWindowMilliseconds: 30_000,
      fuzz: null,
    });
  });

  test.each(['http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1', 'http://127.9.9.9'])(
    'sets no rate limit for %s',
    (loopback) => {
      expect(planFrom({ baseUrl: loopback }).requestsPerSecond).toBeNull();
    },
  );

  test.each(['http://127.evil.example', 'http://localhost.example', 'http://10.0.0.1'])(
    'limits the rate for %s',
    (elsewhere) => {
      expect(planFrom({ baseUrl: elsewhere }).requestsPerSecond).toBe(5);
    },
  );

  test('limits the rate to a receiver separately', () => {
    expect(planFrom({ receiver })).toMatchObject({
      requestsPerSecond: null,
      deliveriesPerSecond: 5,
    });
    expect(planFrom({ receiver, requestsPerSecond: 50 }).deliveriesPerSecond).toBe(50);
  });

  test('limits the number of requests of a read-only run only', () => {
    expect(planFrom({ baseUrl, allowWrites: true }).maxRequests).toBeNull();
    expect(planFrom({ baseUrl, allowWrites: true, maxRequests: 9 }).maxRequests).toBe(9);
  });

  test('prefers key over the keys of fixtures.json', () => {
    const fixtures = { keys: { main: 'key-of-the-file-1', ocr: 'key-of-the-file-2' }, runId: 'r' };
    const plan = planFrom({ baseUrl, key: 'key-of-the-flag', fixtures });
    expect(plan.keys).toEqual({ main: 'key-of-the-flag', ocr: 'key-of-the-file-2' });
    expect(plan.fixtures).toEqual({ runId: 'r' });
  });

  test('selects each side by its option', () => {
    expect(planFrom({ sender: true }).sides).toEqual(['sender']);
    expect(planFrom({ receiver }).sides).toEqual(['receiver']);
    expect(planFrom({ baseUrl, sender: true, receiver }).sides).toEqual([
      'api',
      'sender',
      'receiver',
    ]);
  });
});
