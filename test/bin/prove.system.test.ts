import { expect, test } from 'vitest';

import { expectProven } from './defective-server.ts';

test('hookproof check --prove names the defect that turned each pass of two areas red', async () => {
  expect(await expectProven('api.key-required,sender.end')).toBeGreaterThan(15);
});
