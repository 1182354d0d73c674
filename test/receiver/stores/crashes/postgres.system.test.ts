import { expect, test } from 'vitest';

import { describeWith } from '../../../services/local-server.ts';
import { crashAtEach } from './postgres-places.ts';

// The scenario sends about sixty statements of a few kinds, so each kind has both sides.
describeWith('postgres')('a process that is killed at each statement that it sends', () => {
  test('loses nothing, and handles nothing else again, before and after them by turns', async () => {
    const count = await crashAtEach((statement) => (statement % 2 === 0 ? 'before' : 'after'));
    expect(count).toBeGreaterThan(40);
  });
});
