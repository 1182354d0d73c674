import { checks } from '@hookproof/conformance';
import { defects } from '@hookproof/conformance/proof';
import { expect, test } from 'vitest';

import { proveDefects } from './prove.ts';

const finders = proveDefects(defects);

test('every check finds a defect', () => {
  expect(checks.filter(({ id }) => !finders.has(id)).map(({ id }) => id)).toEqual([]);
});
