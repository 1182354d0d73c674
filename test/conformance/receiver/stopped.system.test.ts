import { beforeAll, describe, expect, test } from 'vitest';

import type { Report } from '@hookproof/conformance';

import { idsWith, judgeReceiver } from './judge-receiver.ts';

/** The receiver ends after it has accepted a vector of this check, whose timestamp is not a number. */
const ENDING = 'receiver.signature.timestamp-malformed';

describe('a receiver that a delivery ends', () => {
  let report: Report;
  beforeAll(async () => {
    report = await judgeReceiver('dying', {
      observed: false,
      concurrency: 1,
      only: [ENDING, 'receiver.signature.digest', 'receiver.duplicate', 'receiver.event.large'],
    });
  });

  test('fails what it was seen to do, although nothing can confirm it', () => {
    expect(idsWith(report, 'fail')).toContain(ENDING);
    expect(report.exitCode).toBe(1);
    const failure = report.checks.find(({ id }) => id === ENDING);
    expect(failure?.violation?.confirmed).toBe(1);
  });

  test('passes nothing after its end', () => {
    expect(idsWith(report, 'pass')).toEqual([]);
  });

  test('gets one sentence with the delivery that ended it', () => {
    const [first, ...others] = new Set(
      report.checks
        .filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'could-not-run')
        .map(({ message }) => message),
    );
    expect(others).toEqual([]);
    expect(first).toMatch(
      /^the receiver stopped responding after the delivery whev_dot\.\d+ of receiver\.signature\.timestamp-malformed; /,
    );
    expect(idsWith(report, 'inconclusive')).toHaveLength(1);
  });
});
