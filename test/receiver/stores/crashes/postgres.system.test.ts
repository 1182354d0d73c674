import { expect, test } from 'vitest';

import { describeWith } from '../../../services/local-server.ts';
import { crashAtEach } from './postgres-places.ts';

describeWith('postgres')('a process that is killed at each statement that it sends', () => {
  test.each(['before', 'after'] as const)(
    'loses nothing, and handles nothing else again: %s',
    async (side) => {
      expect(await crashAtEach(side)).toBeGreaterThan(40);
    },
  );
});
