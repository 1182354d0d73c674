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
    ['stops', 'violated', 1],
    ['missing', 'incomplete', 3],
    ['notApplicable', 'no-result', 3],
    ['noChecks', 'no-result', 3],
    ['keyRefused', 'no-result', 3],
    ['closedPort', 'no-result', 4],
    ['notTheApi', 'no-result', 4],
    ['budgetOfOne', 'no-result', 3],
    ['brokenDiscovery', 'no-result', 5],
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

  test('reports a failure with rule, exchange, curl and command', () => {
    const failure = pick(results, 'weights').report.checks.find(({ id }) => id === 'api.violates');
    expect(failure).toMatchObject({
      clause: 'Limits',
      rule: 'A rule that binds as must.',
      violation: {
        expected: '400',
        actual: '200',
        confirmed: 2,
        exchange: { sentBy: 'suite', request: { method: 'GET' }, response: { status: 200 } },
      },
    });
    expect(failure?.violation?.reproduce.commands.join('\n')).toMatch(
      /^curl -i 'http:\/\/127\.0\.0\.1:\d+\/v1\/templates\?limit=101' -H 'authorization: Bearer '"\$HOOKPROOF_KEY"$/,
    );
    expect(failure?.violation?.command).toBe(
      "runConformance({ ...options, only: ['api.violates'] })",
    );
  });

  test('confirms a failure on a new connection', () => {
    const probes = pick(results, 'weights').seen.filter(({ path }) => path === '/v1/templates');
    // One request of discovery, one of the passing check, two of each of three failures.
    expect(probes).toHaveLength(8);
    const ports = probes.map(({ port }) => port);
    const confirming = ports.slice(-3);
    expect(confirming.filter((port) => ports.slice(0, -3).includes(port))).toEqual([]);
  });

  test('calls a failure that is not reproduced inconclusive', () => {
    expect(verdicts('flaky')['api.flaky']).toBe('inconclusive');
    expect(message('flaky', 'api.flaky')).toBe(
      'Failure not reproduced: expected 400, got 200. The second attempt passed.',
    );
  });

  test('says once which request a target responded to last, and takes no failure back', () => {
    expect(verdicts('stops')).toEqual({
      'api.violates': 'fail',
      'api.ends': 'pass',
      'api.next': 'inconclusive',
      'api.passes': 'could-not-run',
    });
    const sentence =
      'the API stopped responding after GET /v1/last of api.ends; GET /v1/templates of api.next got no response';
    expect(message('stops', 'api.next')).toBe(sentence);
    expect(message('stops', 'api.passes')).toBe(sentence);
  });

  test('does the same for a control interface, without which other checks go on', () => {
    expect(verdicts('controlStops')).toEqual({
      'api.ends': 'pass',
      'api.asks': 'inconclusive',
      'api.asks-too': 'could-not-run',
      'api.passes': 'pass',
    });
    expect(message('controlStops', 'api.asks-too')).toMatch(
      /^the control interface stopped responding after GET \/_control\/\S+ of this run; GET \/_control\/clock of api\.asks got no response$/,
    );
  });

  test('the responses of a slow control interface do not count against the time of a check', () => {
    expect(verdicts('controlSlow')).toEqual({ 'api.asks': 'pass' });
  });

  test('reports an exception of a check as an error of the suite', () => {
    expect(verdicts('throwing')).toEqual({ 'api.throws': 'harness-error', 'api.passes': 'pass' });
    expect(message('throwing', 'api.throws')).toBe('a mistake in the check');
  });

  test('ends a check that hangs', () => {
    expect(verdicts('hanging')).toEqual({ 'api.hangs': 'inconclusive', 'api.passes': 'pass' });
    expect(message('hanging', 'api.hangs')).toBe(
      'No verdict within 0.05 s, besides the time in which it waited for responses.',
    );
  });

  test('the shape of the entries of an empty list has no verdict', () => {
    expect(verdicts('emptyList')).toEqual({ 'api.response.templates': 'could-not-run' });
    expect(message('emptyList', 'api.response.templates')).toBe(
      'the templates list must have at least 1 entry, got 0',
    );
  });

  test('names the remedy for a missing need', () => {
    const remedies = pick(results, 'missing').report.checks.map(({ verdict, remedies: own }) => [
      verdict,
      own?.map(({ text }) => text).join(),
    ]);
    expect(remedies).toEqual([
      [
        'could-not-run',
        '--fixtures FILE with { "keys": { "reviewer": "<key with scope dataset_review:read alone>" } }, or HOOKPROOF_KEY_REVIEWER',
      ],
      ['could-not-run', '--control-url URL --control-token "$HOOKPROOF_CONTROL_TOKEN"'],
      ['could-not-run', '--thing'],
      ['pass', undefined],
    ]);
  });

  test('reports why a check does not apply', () => {
    expect(verdicts('notApplicable')).toEqual({ 'api.does-not-apply': 'not-applicable' });
    expect(message('notApplicable', 'api.does-not-apply')).toBe('this target has no such thing');
  });

  test('reports an unhandled rejection as an error of the suite', () => {
    expect(pick(results, 'rejection').report.suiteErrors).toEqual([
      'unhandled rejection: an unhandled error',
    ]);
  });

  test('rejects a second run in the same process until the first has ended', () => {
    expect(pick(results, 'twoAtOnce')).toEqual({
      first: 'fulfilled',
      second: {
        code: 'run_in_progress',
        message:
          'A conformance run is in progress in this process: await it first, or use a worker thread.',
      },
      third: 'conformant',
    });
    expect(pick(results, 'afterHarness')).toEqual({ outcomes: [1, 1, 1] });
  });

  test('runs in several worker threads at once', () => {
    expect(pick(results, 'workers')['outcomes']).toEqual(['conformant', 'conformant']);
  });

  test('reports an exception of onProgress as an error of the suite', () => {
    expect(verdicts('progressThrows')).toEqual({ 'api.passes': 'harness-error' });
    expect(message('progressThrows', 'api.passes')).toBe('a mistake in the listener');
  });

  test('rejects a check that names an unknown requirement', () => {
    expect(pick(results, 'unknownRequirement')).toEqual({
      message: 'check api.passes names requirement inbox.unknown, which does not exist',
    });
  });

  test('judges a sender without an API', () => {
    const { report, seen } = pick(results, 'senderOnly');
    expect(report.outcome).toBe('conformant');
    expect(report.sides).toEqual(['sender']);
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /_control/clock',
      'POST /_control/worlds',
      'DELETE /_control/worlds/world_2',
      'GET /_control/worlds',
    ]);
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

  test('reports progress', () => {
    expect(pick(results, 'progress')['events']).toEqual([
      { done: 1, total: 2, check: 'api.lacks-key', verdict: 'could-not-run' },
      { done: 2, total: 2, check: 'api.passes', verdict: 'pass' },
    ]);
  });
});

describe('preflight', () => {
  test('names the unreachable URL and the reason', () => {
    const { unreachable, checks } = pick(results, 'closedPort').report;
    const { url, message: what } = unreachable ?? {};
    // The reason is said once: each check refers to it.
    expect(checks.map((one) => one.message)).toEqual(
      checks.map(() => `see unreachable: no usable response from ${url}`),
    );
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(what).toMatch(/^no response from http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED/);
  });

  test('treats a server that does not respond with JSON as unreachable', () => {
    expect(pick(results, 'notTheApi').report.unreachable?.message).toMatch(
      /^GET \/v1\/auth\/check: expected JSON, got 200 with text\/html\. Check the URL\./,
    );
  });

  test('reports the identity of the key', () => {
    expect(pick(results, 'passing').report.target).toMatchObject({
      identity: { tenantId: 'tenant_1', tenantSlug: 'acme', scope: ['workflow:read'] },
      clockOffsetMilliseconds: expect.any(Number),
    });
  });

  test('reports that the API refused the key', () => {
    expect(message('keyRefused', 'api.passes')).toBe('the API refused the key with 401');
  });
});

describe('discovery', () => {
  test('takes ids of one automation from the lists, with their source', () => {
    const { report, seen } = pick(results, 'discovery');
    expect(report.facts).toContainEqual({
      name: 'closedReviewId',
      value: 'review_2',
      source: 'GET /v1/dataset-review-requests',
    });
    expect(seen.at(-1)?.path).toBe('/v1/review_1/review_2');
    // review_3 is a draft of another automation.
    expect(verdicts('discovery')['api.not-discovered']).toBe('could-not-run');
  });

  test('takes keys and ids from the control interface with GET requests only', () => {
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

  test('creates a world when writes are unlocked, and deletes it at its end', () => {
    const { report, seen } = pick(results, 'controlUnlocked');
    expect(report.outcome).toBe('conformant');
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /_control/clock',
      'POST /_control/worlds',
      'GET /v1/auth/check',
      'GET /v1/dataset-review-requests',
      'POST /_control/runs',
      'POST /_control/wait',
      'DELETE /_control/worlds/world_2',
      'GET /_control/worlds',
    ]);
    expect(report.leftBehind).toEqual([]);
  });

  test('continues without a control interface that refuses its token', () => {
    expect(message('controlRefused', 'api.lacks-control')).toMatch(
      /^GET \/clock on the control interface: expected a 2xx with Clock of control.yaml, got 401 /,
    );
  });

  test('ignores the world of another tenant', () => {
    expect(verdicts('worldOfAnother')).toEqual({
      'api.needs-world': 'could-not-run',
      'api.passes': 'pass',
    });
    const [lacking] = pick(results, 'worldOfAnother').report.checks;
    expect(lacking).toMatchObject({
      message: expect.stringContaining(
        'the key is of tenant tenant_1, the world of the control interface of tenant tenant_9',
      ),
      remedies: [
        {
          text: 'leave out --key, so that the run takes the keys of the world, or pass a key of its tenant',
        },
      ],
    });
  });

  test('takes the world of a key that the world names, whatever tenant the key reports', () => {
    expect(verdicts('keyOfTheWorld')).toEqual({ 'api.needs-world': 'pass' });
  });

  test('sends equal samples once', () => {
    const sampled = pick(results, 'samples').seen.filter(({ path }) => path === '/v1/sampled');
    expect(sampled).toHaveLength(1);
  });
});

describe('a receiver', () => {
  test('may be slow: its responses do not count against the time of a check', () => {
    expect(verdicts('slowReceiver')).toEqual({ 'receiver.delivers': 'pass' });
  });

  test('gets requests byte for byte, and its 429 is returned', () => {
    const { report, seen } = pick(results, 'receiving');
    expect(report.outcome).toBe('conformant');
    expect(seen.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/hook', expect.stringContaining('"test":true')],
      ['POST', '/hook', '{}'],
      ['GET', '/observer', ''],
    ]);
    expect(report.wire).toMatchObject({
      requests: 0,
      writes: 0,
      deliveries: 3,
      controlRequests: 0,
    });
  });
});
