import { expect } from 'vitest';

import { testWith } from '../../services/local-server.ts';
import { idsOf, judgePythonSender } from './python-sender.ts';

testWith('python')(
  'a sender in Python that retries after an hour is accused of nothing',
  async () => {
    const { report, code } = await judgePythonSender(['--retry-window', '2']);
    const accused = ['fail', 'advice', 'info'].flatMap((verdict) => idsOf(report, verdict));
    expect(accused).toEqual([]);
    // What only a retry can show.
    const retries = idsOf(report, 'inconclusive');
    expect(retries).toEqual(
      expect.arrayContaining(['sender.retry.on-5xx', 'sender.test-event.retried']),
    );
    expect(
      retries.filter(
        (id) => !/^sender\.(retry\.|test-event\.retried|run-created\.initial-snapshot)/.test(id),
      ),
    ).toEqual([]);
    const open = report.checks.filter(({ id }) => /^sender\.(retry\.|test-event\.r)/.test(id));
    const reasons = open
      .filter(({ verdict }) => verdict === 'inconclusive')
      .map(({ message }) => message);
    expect(new Set(reasons)).toEqual(
      new Set([expect.stringContaining('no event was retried within the retry window')]),
    );
    expect(idsOf(report, 'pass').length).toBeGreaterThan(40);
    expect(report.target.senderDriver).toBe('--step-command');
    expect(code).toBe(3);
  },
);
