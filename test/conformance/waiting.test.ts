import { beforeAll, describe, expect, test } from 'vitest';

import { idsWith } from './receiver/judge-receiver.ts';
import { pick, scenarioResults } from './scenario-results.ts';
import type { ScenarioResult } from './scenario-results.ts';

let results: Record<string, ScenarioResult> = {};

beforeAll(async () => {
  results = await scenarioResults();
});

describe('a run tells what it waits for, and for how long', () => {
  test('a receiver that is slow', () => {
    expect(pick(results, 'slowDeliveries')['notices']).toEqual([
      'The receiver takes about 1.5 s for a delivery, and a run has hundreds.',
    ]);
  });

  test('an observer that shows events late', () => {
    expect(pick(results, 'lateObserver')['notices']).toEqual([
      expect.stringMatching(
        /^Waiting for the observer to show event whev_\w+, up to 30 s after its last change\.$/,
      ),
    ]);
  });

  test('the steps of a sender, and its retries', () => {
    expect(pick(results, 'stepsOfSender')['notices']).toEqual([
      expect.stringMatching(
        /^Waiting up to 40 s for deliveries at http:\/\/127\.0\.0\.1:\d+ while the steps are performed\.$/,
      ),
      'All steps are done. Waiting up to 40 s for retries (--retry-window).',
    ]);
  });
});

describe('a receiver whose handlers stop has one failure', () => {
  test.each([
    ['handlersStop', 'the receiver has stopped handling events'],
    ['handlersStopSoon', 'the receiver does not handle each accepted event once'],
  ])('%s', (name, what) => {
    const { report } = pick(results, name);
    const [failure = '', ...more] = idsWith(report, 'fail', 'inconclusive');
    expect(more).toEqual([]);
    const others = report.checks.filter(({ verdict }) => verdict === 'could-not-run');
    expect(new Set(others.map(({ message }) => message))).toEqual(
      new Set([`${what}: see ${failure}`]),
    );
    const { violation } = report.checks.find(({ id }) => id === failure) ?? {};
    expect(violation?.confirmed).toBe(2);
    expect(violation?.diagnosis.cause).toMatch(/^What handles events has stopped: /);
  });
});
