import { expect, test } from 'vitest';

import { crashAtEach } from './sqlite-places.ts';

test('a process with SQLite that is killed before and after each commit loses nothing, and handles nothing else again', async () => {
  expect(await crashAtEach()).toBeGreaterThan(60);
});
