import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { firstStatus } from '../../../../server-reference/src/events/run-change.ts';
import { findImpossibleStep } from '../../../../server-reference/src/events/scheduled-transitions.ts';
import {
  OUTCOMES,
  simulatedTransitions,
  simulatedOutput,
  simulatedUsage,
} from '../../../../server-reference/src/companions/runs/simulate-run.ts';

const aType = fc.constantFrom('workflow' as const, 'agent' as const);
const anInput = fc.dictionary(fc.string(), fc.jsonValue());

test('any draw gives transitions that are possible, take seconds, and end in the chosen outcome', () => {
  fc.assert(
    fc.property(
      aType,
      fc.constantFrom(...OUTCOMES),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (type, outcome, drawn) => {
        const usage = simulatedUsage(type, {});
        const parts = { type, outcome, usage, output: 1, outputFiles: [], random: () => drawn };
        const scheduledTransitions = simulatedTransitions(parts);
        expect(findImpossibleStep(firstStatus(type), scheduledTransitions)).toBeNull();
        expect(scheduledTransitions.at(-1)?.status).toBe(outcome);
        for (const { afterMilliseconds } of scheduledTransitions) {
          expect(Number.isInteger(afterMilliseconds)).toBe(true);
          expect(afterMilliseconds).toBeGreaterThan(0);
          expect(afterMilliseconds).toBeLessThan(5_000);
        }
        const withOutput = scheduledTransitions.filter(({ output }) => output !== undefined);
        expect(withOutput.map(({ status }) => status)).toEqual(
          outcome === 'completed' ? ['completed'] : [],
        );
        expect(scheduledTransitions.filter((step) => step.usage === usage)).toHaveLength(
          outcome === 'rejected' ? 0 : 1,
        );
      },
    ),
  );
});

test('the output has a row for each field of the input except the one that chose the outcome', () => {
  fc.assert(
    fc.property(anInput, (input) => {
      const { rows } = simulatedOutput({ ...input, $outcome: 'completed' });
      const { $outcome: _outcome, ...rest } = input;
      expect(rows.map(({ field, value }) => [field, value])).toEqual(Object.entries(rest));
    }),
  );
});

test('usage has whole numbers, and only agents have turns', () => {
  fc.assert(
    fc.property(aType, anInput, (type, input) => {
      const { tokens, creditsCharged, ...counts } = simulatedUsage(type, input);
      for (const count of [...Object.values(tokens), ...Object.values(counts)]) {
        expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
      }
      expect(creditsCharged).toBeGreaterThan(0);
      expect(counts.agentTurns > 0).toBe(type === 'agent');
    }),
  );
});

test('documents are recognized by their file extensions', () => {
  const input = { scan: 'note.PDF', photo: 'a.jpeg', table: 'rows.csv', count: 3, list: ['b.pdf'] };
  expect(simulatedUsage('workflow', input).ocrPagesProcessed).toBe(2);
});
