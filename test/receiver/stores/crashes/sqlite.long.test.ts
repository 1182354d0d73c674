import { expect, test } from 'vitest';

import { crashAtEach } from './sqlite-places.ts';

// SQLite keeps nothing of a transaction that was not committed, so the second group leaves out the places within one.
test('a process with SQLite that is killed at each statement loses nothing, and handles nothing else again', async () => {
  // The scenario has about four hundred.
  expect(await crashAtEach({ ALL_PLACES: '1' })).toBeGreaterThan(250);
});
