import { expect, test } from 'vitest';

import { expectProven } from './defective-server.ts';

test('hookproof check --prove names the defect that turned each pass of two areas red', async () => {
  expect(await expectProven('api.missing-key,sender.end')).toBeGreaterThan(15);
});
