import { describe, expect, test } from 'vitest';

import { runConformance } from '@hookproof/conformance';
import type { ConformanceOptions } from '@hookproof/conformance';

import { planFrom } from '../../conformance/src/options/plan.ts';

const baseUrl = 'https://api.example';
const receiver = { url: 'https://hook.example/in', secret: 'whsec_0123456789' };

describe('wrong options', () => {
  const wrong: [options: ConformanceOptions, message: string][] = [
    [
      {},
      'nothing to check: give baseUrl (API side), sender: true (sender side) or receiver (receiver side)',
    ],
    [{ appUrl: baseUrl }, 'appUrl was given without baseUrl: give both'],
    [
      { baseUrl: 'api.example' },
      'baseUrl: expected an address such as https://api.example.com, got "api.example"',
    ],
    [
      { baseUrl: 'file:///etc' },
      'baseUrl: expected an address such as https://api.example.com, got "file:///etc"',
    ],
    [
      { baseUrl: 'https://me:secret@api.example' },
      'baseUrl: expected an address without user name and password',
    ],
    [
      { baseUrl: 'https://api.example?a=1' },
      'baseUrl: expected an address without query and fragment, got "https://api.example?a=1"',
    ],
    [
      { baseUrl, key: 'short' },
      'key main: expected at least 8 characters, so that reports can be kept free of it',
    ],
    [
      { baseUrl, key: 'key-0123456789\n' },
      'key main: expected visible ASCII characters; is there a stray line end?',
    ],
    [
      { receiver: { ...receiver, secret: 'whsec' } },
      'receiver.secret: expected at least 8 characters, so that reports can be kept free of it',
    ],
    [
      { baseUrl, fixtures: { reviewid: 'x' } },
      expect.stringMatching(/^fixtures\.reviewid is not known; known are workflowId, /),
    ],
    [{ baseUrl, fixtures: { runId: '' } }, 'fixtures.runId: expected a non-empty string'],
    [{ baseUrl, fixtures: { keys: 'x' } }, 'fixtures.keys: expected an object of keys by name'],
    [
      { baseUrl, fixtures: { keys: { admin: 'key-0123456789' } } },
      'fixtures.keys.admin is not known; known are main, reviewer, ocr, workflow, otherTenant',
    ],
    [{ baseUrl, requestsPerSecond: 0 }, 'requestsPerSecond: expected a number above 0, got 0'],
    [{ baseUrl, maxRequests: Number.NaN }, 'maxRequests: expected a number above 0, got NaN'],
    [{ baseUrl, only: ['api.no'] }, 'only: no check is called "api.no" and no id begins with it'],
  ];

  test.each(wrong)('%j', async (options, message) => {
    await expect(runConformance(options)).rejects.toThrow(
      expect.objectContaining({ name: 'TypeError', message }),
    );
  });
});

describe('the plan', () => {
  test('reads only, slowly and little, by default', () => {
    expect(planFrom({ baseUrl: 'https://api.example/' })).toEqual({
      sides: ['api'],
      baseUrl: 'https://api.example',
      appUrl: null,
      keys: {},
      fixtures: {},
      control: null,
      receiver: null,
      allowWrites: false,
      allowDeletes: false,
      only: [],
      requestsPerSecond: 5,
      deliveriesPerSecond: null,
      maxRequests: 150,
      retryWindowMilliseconds: 30_000,
    });
  });

  test.each(['http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1', 'http://127.9.9.9'])(
    'has no pace against %s',
    (loopback) => {
      expect(planFrom({ baseUrl: loopback }).requestsPerSecond).toBeNull();
    },
  );

  test.each(['http://127.evil.example', 'http://localhost.example', 'http://10.0.0.1'])(
    'keeps its pace against %s',
    (elsewhere) => {
      expect(planFrom({ baseUrl: elsewhere }).requestsPerSecond).toBe(5);
    },
  );

  test('keeps a pace of its own for a receiver', () => {
    expect(planFrom({ receiver })).toMatchObject({
      requestsPerSecond: null,
      deliveriesPerSecond: 5,
    });
    expect(planFrom({ receiver, requestsPerSecond: 50 }).deliveriesPerSecond).toBe(50);
  });

  test('has no bound of requests once something is unlocked', () => {
    expect(planFrom({ baseUrl, allowWrites: true }).maxRequests).toBeNull();
    expect(planFrom({ baseUrl, allowWrites: true, maxRequests: 9 }).maxRequests).toBe(9);
  });

  test('prefers keys given by name to those of fixtures.json', () => {
    const fixtures = { keys: { main: 'key-of-the-file-1', ocr: 'key-of-the-file-2' }, runId: 'r' };
    const plan = planFrom({ baseUrl, key: 'key-of-the-flag', fixtures });
    expect(plan.keys).toEqual({ main: 'key-of-the-flag', ocr: 'key-of-the-file-2' });
    expect(plan.fixtures).toEqual({ runId: 'r' });
  });

  test('selects each side by what it needs', () => {
    expect(planFrom({ sender: true }).sides).toEqual(['sender']);
    expect(planFrom({ receiver }).sides).toEqual(['receiver']);
    expect(planFrom({ baseUrl, sender: true, receiver }).sides).toEqual([
      'api',
      'sender',
      'receiver',
    ]);
  });
});
