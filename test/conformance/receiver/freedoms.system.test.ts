import { expect, test } from 'vitest';

import { idsWith, judgeReceiver } from './judge-receiver.ts';

test('a receiver may send interim responses before the final one', async () => {
  const report = await judgeReceiver('interim', { observed: false });
  expect(idsWith(report, 'fail', 'inconclusive', 'could-not-run')).toEqual([]);
  expect(report.outcome).toBe('conformant');
});

test('a receiver that refuses test events gets advice, and nothing else is accused', async () => {
  const report = await judgeReceiver('no-tests');
  expect(idsWith(report, 'advice')).toEqual(['receiver.test-event.acknowledged']);
  expect(idsWith(report, 'fail', 'inconclusive')).toEqual([]);
});

test('a receiver that blocks the sender of forged deliveries is not accused', async () => {
  const report = await judgeReceiver('bans', { observed: false });
  expect(idsWith(report, 'fail', 'advice')).toEqual([]);
  expect(idsWith(report, 'inconclusive')).not.toEqual([]);
});
