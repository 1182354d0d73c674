import { beforeAll, describe, expect, test } from 'vitest';

import { pick, scenarioResults } from './scenario-results.ts';
import type { ScenarioResult } from './scenario-results.ts';

let results: Record<string, ScenarioResult> = {};

beforeAll(async () => {
  results = await scenarioResults();
});

function findings(name: string): (readonly [string, string])[] {
  return pick(results, name).report.checks.map(({ verdict, message }) => [verdict, message]);
}

function controlRequests(name: string): string[] {
  const requests = pick(results, name).seen.filter(({ path }) => /limits|faults/.test(path));
  return requests.map(({ method, path, body }) => `${method} ${path} ${body}`.trim());
}

test('sendOnce returns a 429 at once', () => {
  expect(findings('impatient')).toEqual([['pass', 'does api.limited']]);
  const { seen } = pick(results, 'impatient');
  expect(seen.filter(({ path }) => path === '/v1/limited')).toHaveLength(1);
});

describe('the limits of a deployment', () => {
  test('are changed with an end and restored, and a fault is injected once and removed', () => {
    expect(findings('controlWithLimits').map(([verdict]) => verdict)).toEqual(['pass', 'pass']);
    expect(controlRequests('controlWithLimits').toSorted()).toEqual([
      'DELETE /_control/api-faults/fault_1',
      'GET /_control/api-faults',
      'GET /_control/limits',
      'PATCH /_control/limits {"accounting":"unavailable","expiresInMilliseconds":120000}',
      'PATCH /_control/limits {"rateLimit":null,"accounting":"available"}',
      'POST /_control/api-faults {"match":{"tenantId":"tenant_1","method":"GET"},"times":1,"effect":{"status":500},"expiresInMilliseconds":120000}',
    ]);
  });

  test('make the check not applicable when the control interface lacks the operation', () => {
    expect(findings('controlWithoutLimits')).toEqual([
      ['not-applicable', 'the control interface has no GET /limits'],
      ['not-applicable', 'the control interface has no POST /api-faults'],
    ]);
  });

  test('are changed by a check that runs alone', () => {
    expect(pick(results, 'alone')).toMatchObject({
      alone: true,
      report: { outcome: 'conformant' },
    });
  });
});
