import { beforeAll, describe, expect, test } from 'vitest';

import { renderHtml, renderJson, renderTerminal } from '@hookproof/conformance';

import { pick, scenarioResults } from './scenario-results.ts';
import type { ScenarioResult } from './scenario-results.ts';

const SIGNATURE = 'b7e23ec29af22b0b4e41da31e868d57226121c84';

describe('following a redirect', () => {
  let results: Record<string, ScenarioResult> = {};

  beforeAll(async () => {
    results = await scenarioResults();
  });

  test('returns the bytes, sends no key, and counts as a request', () => {
    const { report, seen, stored } = pick(results, 'redirected');
    expect(report.checks.map(({ verdict, message }) => [verdict, message])).toEqual([
      ['pass', 'does api.follows'],
      ['pass', 'does api.follows-sampled'],
    ]);
    // A storage URL may work once, so that checks share what a sample leads to.
    expect(stored).toHaveLength(2);
    expect(stored).toEqual(
      Array(2).fill(
        expect.objectContaining({ method: 'GET', path: '/bucket/1', authorization: null }),
      ),
    );
    expect(report.wire).toMatchObject({ requests: seen.length + 2, writes: 0 });
  });

  test('counts towards the maximum number of requests', () => {
    const { report, seen, stored } = pick(results, 'redirectBudget');
    const [check] = report.checks;
    expect(check?.message).toBe('the run has sent its maximum of 4 requests');
    expect([seen.length, stored]).toEqual([4, []]);
  });

  test('throws when the response is not a redirect', () => {
    const [check] = pick(results, 'noRedirect').report.checks;
    expect(check).toMatchObject({
      verdict: 'harness-error',
      message: 'follow expects a redirect of this run',
    });
  });

  test('shows nothing of the signature in a report', () => {
    const { report } = pick(results, 'redirectShown');
    expect(report.checks.map(({ verdict }) => verdict)).toEqual(['fail', 'fail']);
    for (const output of [
      renderJson(report),
      renderHtml(report),
      renderTerminal(report, { color: false }),
    ]) {
      expect(output).not.toContain(SIGNATURE.slice(0, 12));
      expect(output).not.toContain('1790000000');
      expect(output).toContain('/bucket/denied$STORAGE_QUERY');
    }
  });
});
