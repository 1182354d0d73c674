import { expect, test } from 'vitest';

import { idsWith, judgeReceiver } from './judge-receiver.ts';

test('a receiver may send interim responses before the final one', async () => {
  const report = await judgeReceiver('interim', { observed: false });
  expect(idsWith(report, 'fail', 'inconclusive', 'could-not-run')).toEqual([]);
  expect(report.outcome).toBe('conformant');
});
