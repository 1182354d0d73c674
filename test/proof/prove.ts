import { availableParallelism } from 'node:os';
import { checks } from '@hookproof/conformance';
import type { Side } from '@hookproof/conformance';
import type { Defect } from '@hookproof/conformance/proof';
import { afterAll, describe, expect, test } from 'vitest';

import { compiledProgram } from '../compiled-program.ts';
import { variants } from './variants/catalogue.ts';
import { openJudges } from './judges.ts';
import { mixturesOf } from './mixtures.ts';
import type { Mixture } from './mixtures.ts';
import type { Judged, Order } from './order.ts';
import { findersOf, objectionsToDefect, objectionsToVariants } from './verdicts.ts';

/** So many mixtures of each side run before each merge. */
const FIRST = 2;

export function firstMixtures(side: Side): readonly Mixture[] {
  return mixturesOf(side, variants).slice(0, FIRST);
}

export function furtherMixtures(side: Side): readonly Mixture[] {
  return mixturesOf(side, variants).slice(FIRST);
}

const judges = openJudges<Order, Judged>(
  compiledProgram(new URL('programs/judge.ts', import.meta.url)),
  availableParallelism(),
);
afterAll(() => judges.close());

/** Defines a test for each defect: a check of the requirement that it breaks finds it. Returns the checks that found one. */
export function proveDefects(defects: readonly Defect[]): ReadonlySet<string> {
  const finders = new Set<string>();
  describe.concurrent('the suite finds', () => {
    test.each(defects)('the $side defect $id', async (defect) => {
      const { id, side, breaks } = defect;
      const ofRequirement = checks.filter(({ requirements }) => requirements.includes(breaks));
      const only = ofRequirement.map((check) => check.id);
      const judged = await judges.judge({ side, ids: [id], only });
      for (const finder of findersOf(judged)) finders.add(finder);
      expect(objectionsToDefect(defect, judged)).toEqual([]);
    });
  });
  return finders;
}

/** Defines a test for each mixture: no check objects to it. */
export function proveMixtures(mixtures: readonly Mixture[]): void {
  describe.concurrent('the suite accepts', () => {
    test.each(mixtures)('$name', async ({ side, variants: parts, seed }) => {
      const ids = parts.map(({ id }) => id);
      const judged = await judges.judge({ side, ids, seed });
      expect(objectionsToVariants(parts, judged), `together: ${ids.join(' ')}`).toEqual([]);
    });
  });
}
