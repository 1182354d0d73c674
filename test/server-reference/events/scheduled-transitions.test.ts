import { RUN_STATUSES } from '@hookproof/spec';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  findImpossibleStep,
  scheduleTransitions,
} from '../../../server-reference/src/events/scheduled-transitions.ts';
import { RUN_TRANSITIONS } from '../../../server-reference/src/events/run-transitions.ts';

const START = Date.parse('2026-07-01T00:00:00.000Z');
const aStatus = fc.constantFrom(...RUN_STATUSES);
const steps = fc.array(fc.record({ status: aStatus, afterMilliseconds: fc.nat() }), {
  maxLength: 12,
});

test('each move comes the given time after the one before', () => {
  fc.assert(
    fc.property(steps, (plan) => {
      const times = [START, ...scheduleTransitions(START, plan).map(({ at }) => Date.parse(at))];
      expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).toEqual(
        plan.map(({ afterMilliseconds }) => afterMilliseconds),
      );
    }),
  );
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
