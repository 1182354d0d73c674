import { test } from 'vitest';

import { expectRefusalsInMemory, expectRefusalsOnFolder, WHOLE } from './refusals.ts';

test('every spelling in every path is refused (folder)', () => expectRefusalsOnFolder(WHOLE));

test('every spelling in every path is refused (memory)', () => expectRefusalsInMemory(WHOLE));
