import { beforeAll, describe, expect, test } from 'vitest';

import type { Verdict } from '@hookproof/conformance';

import { pick, scenarioResults } from './scenario-results.ts';
import type { ScenarioResult } from './scenario-results.ts';

let results: Record<string, ScenarioResult> = {};

beforeAll(async () => {
  results = await scenarioResults();
});

function verdicts(name: string): Record<string, Verdict> {
  return Object.fromEntries(
    pick(results, name).report.checks.map(({ id, verdict }) => [id, verdict]),
  );
}

function message(name: string, id: string): string {
  return pick(results, name).report.checks.find((check) => check.id === id)?.message ?? '';
}

describe('a run', () => {
  test.each([
    ['passing', 'conformant', 0],
    ['weights', 'violated', 1],
    ['throwingAndRed', 'violated', 1],
    ['flaky', 'incomplete', 3],
    ['hanging', 'incomplete', 3],
    ['missing', 'incomplete', 3],
    ['notApplicable', 'nothing-established', 3],
    ['noChecks', 'nothing-established', 3],
    ['keyRefused', 'nothing-established', 3],
    ['closedPort', 'nothing-established', 4],
    ['notTheApi', 'nothing-established', 4],
    ['budgetOfOne', 'nothing-established', 3],
    ['brokenPreparation', 'nothing-established', 5],
    ['throwing', 'incomplete', 5],
    ['rejection', 'incomplete', 5],
    ['locked', 'conformant', 0],
    ['unlocked', 'conformant', 0],
    ['senderLocked', 'incomplete', 3],
  ])('%s: %s, exit code %i', (name, outcome, exitCode) => {
    const { report } = pick(results, name);
    expect([report.outcome, report.exitCode]).toEqual([outcome, exitCode]);
  });

  test('weighs a violation by the keyword of its requirement', () => {
    expect(verdicts('weights')).toEqual({
      'api.violates': 'fail',
      'api.advises': 'advice',
      'api.informs': 'info',
      'api.passes': 'pass',
    });
  });

  test('gives a red everything that its reader needs', () => {
    const red = pick(results, 'weights').report.checks.find(({ id }) => id === 'api.violates');
    expect(red).toMatchObject({
      clause: 'Limits',
      rule: 'A rule that binds as must.',
      violation: {
        expected: '400',
        actual: '200',
        confirmed: 2,
        exchange: { sentBy: 'suite', request: { method: 'GET' }, response: { status: 200 } },
      },
    });
    expect(red?.violation?.curl).toMatch(
      /^curl -i 'http:\/\/127\.0\.0\.1:\d+\/v1\/templates\?limit=101' -H 'authorization: Bearer '"\$HOOKPROOF_KEY"$/,
    );
    expect(red?.violation?.command).toMatch(
      /^hookproof check --base-url \S+ --key "\$HOOKPROOF_KEY" --only api\.violates$/,
    );
  });

  test('confirms a red on a fresh connection', () => {
    const probes = pick(results, 'weights').seen.filter(({ path }) => path === '/v1/templates');
    // One walk of the lists, one passing check, three reds twice each.
    expect(probes).toHaveLength(8);
    const ports = probes.map(({ port }) => port);
    const confirming = ports.slice(-3);
    expect(confirming.filter((port) => ports.slice(0, -3).includes(port))).toEqual([]);
  });

  test('calls a red that does not repeat inconclusive, and says what was seen', () => {
    expect(verdicts('flaky')['api.flaky']).toBe('inconclusive');
    expect(message('flaky', 'api.flaky')).toBe(
      'a red that did not repeat: expected 400, got 200; the second attempt passed',
    );
  });

  test('calls a mistake in a check an error of the suite', () => {
    expect(verdicts('throwing')).toEqual({ 'api.throws': 'harness-error', 'api.passes': 'pass' });
    expect(message('throwing', 'api.throws')).toBe('a mistake in the check');
  });

  test('ends a check that hangs', () => {
    expect(verdicts('hanging')).toEqual({ 'api.hangs': 'inconclusive', 'api.passes': 'pass' });
    expect(message('hanging', 'api.hangs')).toBe('not decided within 50 ms');
  });

  test('names the remedy for what is missing', () => {
    const remedies = pick(results, 'missing').report.checks.map(({ verdict, remedy }) => [
      verdict,
      remedy,
    ]);
    expect(remedies).toEqual([
      [
        'could-not-run',
        '--fixtures FILE with { "keys": { "reviewer": "<key with scope dataset_review:read alone>" } }',
      ],
      ['could-not-run', '--control-url URL --control-token "$HOOKPROOF_CONTROL_TOKEN"'],
      ['could-not-run', '--thing'],
      ['pass', undefined],
    ]);
  });

  test('keeps the reason of what does not apply', () => {
    expect(verdicts('notApplicable')).toEqual({ 'api.does-not-apply': 'not-applicable' });
    expect(message('notApplicable', 'api.does-not-apply')).toBe('this target has no such thing');
  });

  test('reports an unhandled rejection as an error of the suite', () => {
    expect(pick(results, 'rejection').report.suiteErrors).toEqual([
      'unhandled rejection: nobody waited for this',
    ]);
  });

  test('runs alone in its process, one after the other as often as wanted', () => {
    expect(pick(results, 'twoAtOnce')).toEqual({
      first: 'fulfilled',
      second: {
        code: 'run_in_progress',
        message:
          'a conformance run is in progress in this process: await it first, or use a worker thread',
      },
      third: 'conformant',
    });
    expect(pick(results, 'afterHarness')).toEqual({ outcomes: [1, 1, 1] });
  });

  test('runs beside another one in a worker thread', () => {
    expect(pick(results, 'workers')['outcomes']).toEqual(['conformant', 'conformant']);
  });

  test('calls a mistake in the listener an error of the suite', () => {
    expect(verdicts('progressThrows')).toEqual({ 'api.passes': 'harness-error' });
    expect(message('progressThrows', 'api.passes')).toBe('a mistake in the listener');
  });

  test('does not begin with a check that no requirement stands behind', () => {
    expect(pick(results, 'unknownRequirement')).toEqual({
      message: 'check api.passes names requirement inbox.unknown, which does not exist',
    });
  });

  test('looks at a sender without an API', () => {
    const { report, seen } = pick(results, 'senderOnly');
    expect(report.outcome).toBe('conformant');
    expect(report.sides).toEqual(['sender']);
    expect(seen.map(({ path }) => path)).toEqual(['/_control/clock', '/_control/worlds']);
  });

  test('runs exclusive checks after the others, one by one', () => {
    expect(pick(results, 'exclusive')['events']).toEqual([
      'api.c begins',
      'api.d begins',
      'api.c ends',
      'api.d ends',
      'api.a begins',
      'api.a ends',
      'api.b begins',
      'api.b ends',
    ]);
  });

  test('tells its progress', () => {
    expect(pick(results, 'progress')['events']).toEqual([
      { done: 1, total: 2, check: 'api.lacks-key', verdict: 'could-not-run' },
      { done: 2, total: 2, check: 'api.passes', verdict: 'pass' },
    ]);
  });
});

describe('preflight', () => {
  test('names the address that does not answer, and what came', () => {
    const { address, message: what } = pick(results, 'closedPort').report.unreachable ?? {};
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(what).toMatch(/^no answer from http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED/);
  });

  test('tells another server from a violation', () => {
    expect(pick(results, 'notTheApi').report.unreachable?.message).toBe(
      'something else answers there: GET /v1/auth/check came back 200 with text/html, not JSON',
    );
  });

  test('says who we are', () => {
    expect(pick(results, 'passing').report.target).toMatchObject({
      identity: { tenantId: 'tenant_1', tenantSlug: 'acme', scope: ['workflow:read'] },
      clockOffsetMilliseconds: expect.any(Number),
    });
  });

  test('says that the key was refused', () => {
    expect(message('keyRefused', 'api.passes')).toBe('the target refused the key with 401');
  });
});

describe('learning', () => {
  test('takes ids of one automation from the lists, with where they came from', () => {
    const { report, seen } = pick(results, 'discovery');
    expect(report.facts).toContainEqual({
      name: 'closedReviewId',
      value: 'review_2',
      source: 'GET /v1/dataset-review-requests',
    });
    expect(seen.at(-1)?.path).toBe('/v1/review_1/review_2');
    // review_3 is a draft, but of another automation.
    expect(verdicts('discovery')['api.not-learned']).toBe('could-not-run');
  });

  test('takes keys and ids from the control interface, with GET alone', () => {
    const { report, seen } = pick(results, 'controlReadOnly');
    expect(verdicts('controlReadOnly')).toEqual({
      'api.uses-world': 'pass',
      'api.sneaks-a-run': 'harness-error',
    });
    expect(report.facts).toContainEqual({
      name: 'key.reviewer',
      value: '$HOOKPROOF_KEY_REVIEWER',
      source: 'control interface',
    });
    expect(new Set(seen.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  test('lives in a world of its own when writes are unlocked', () => {
    const { report, seen } = pick(results, 'controlUnlocked');
    expect(report.outcome).toBe('conformant');
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /_control/clock',
      'POST /_control/worlds',
      'GET /v1/auth/check',
      'GET /v1/dataset-review-requests',
      'POST /_control/runs',
      'POST /_control/wait',
    ]);
  });

  test('goes on without a control interface that refuses its token', () => {
    expect(message('controlRefused', 'api.lacks-control')).toMatch(
      /^the control interface answered GET \/clock with 401 /,
    );
  });

  test('leaves a world of another tenant alone', () => {
    expect(verdicts('worldOfAnother')).toEqual({
      'api.needs-world': 'could-not-run',
      'api.passes': 'pass',
    });
  });

  test('sends equal samples once', () => {
    const sampled = pick(results, 'samples').seen.filter(({ path }) => path === '/v1/sampled');
    expect(sampled).toHaveLength(1);
  });
});

describe('a receiver', () => {
  test('is spoken to byte for byte, and its 429 is an answer like any other', () => {
    const { report, seen } = pick(results, 'receiving');
    expect(report.outcome).toBe('conformant');
    expect(seen.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/hook', ''],
      ['POST', '/hook', '{}'],
      ['GET', '/observer', ''],
    ]);
    expect(report.wire).toEqual({
      requests: 0,
      writes: 0,
      deliveries: 3,
      controlRequests: 0,
      bytesSent: 2,
    });
  });
});
