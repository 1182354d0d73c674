import { RUN_STATUSES } from '@hookproof/spec';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { findImpossibleStep } from '../../../server-reference/src/events/scheduled-transitions.ts';
import { RUN_TRANSITIONS } from '../../../server-reference/src/events/run-transitions.ts';

const aStatus = fc.constantFrom(...RUN_STATUSES);
const steps = fc.array(fc.record({ status: aStatus, afterMilliseconds: fc.nat() }), {
  maxLength: 12,
});

test('the first step outside the graph is found, and both of its statuses are named', () => {
  fc.assert(
    fc.property(aStatus, steps, (from, plan) => {
      const walk = [from, ...plan.map(({ status }) => status)];
      const expected = plan.findIndex(
        ({ status }, index) => !RUN_TRANSITIONS[walk[index] ?? from].includes(status),
      );
      const found = findImpossibleStep(from, plan);
      expect(found?.index ?? -1).toBe(expected);
      if (found !== null) {
        expect(found.error.message).toContain(
          `cannot move from ${walk[expected]} to ${walk[expected + 1]}: `,
        );
      }
    }),
  );
});
