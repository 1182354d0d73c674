import { describe, expect } from 'vitest';

import { testWith } from '../../services/local-server.ts';
import { idsOf, judgePythonSender } from './python-sender.ts';

/** Beyond the steps and the default retry window of 30 s after them. */
const LATE = { firstRetrySeconds: 120 };

describe('a sender in Python whose first retry comes after two minutes', () => {
  testWith('python')(
    'is not accused by the default retry window',
    { timeout: 300_000 },
    async () => {
      const { report, code } = await judgePythonSender([], LATE);
      expect(idsOf(report, 'fail')).toEqual([]);
      const late = report.checks.find(({ id }) => id === 'sender.retry.on-5xx');
      expect(late?.verdict).toBe('inconclusive');
      expect(late?.remedies).toMatchObject([{ need: 'retryWindow' }]);
      expect(code).toBe(3);
    },
  );

  testWith('python')('passes with a longer one', { timeout: 600_000 }, async () => {
    const { report } = await judgePythonSender(['--retry-window', '400'], LATE);
    expect(idsOf(report, 'fail')).toEqual([]);
    expect(idsOf(report, 'inconclusive')).toEqual([]);
    expect(idsOf(report, 'pass')).toContain('sender.retry.on-5xx');
  });
});
