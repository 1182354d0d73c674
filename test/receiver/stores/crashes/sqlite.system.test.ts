import { expect, test } from 'vitest';

import { crashAtEach } from './sqlite-places.ts';

test('a process with SQLite that is killed at each statement loses nothing, and handles nothing else again', async () => {
  // The scenario has about four hundred.
  expect(await crashAtEach()).toBeGreaterThan(250);
});
