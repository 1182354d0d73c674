import { expect } from 'vitest';

import type { Room } from './build.ts';
import { judge } from './judge.ts';
import type { Judgement } from './judge.ts';
import type { Mutant, Variant } from './mutant.ts';
import { inTurn } from './turns.ts';

/** The suite turns exactly the predicted checks red, and the exit code says so. */
export async function expectRed(room: Room, mutant: Mutant): Promise<void> {
  const { red, outcome = 'violated', ...patch } = mutant;
  const judged = await inTurn(() => judge(room, patch));
  expect(summary(judged)).toEqual({
    outcome,
    exitCode: outcome === 'violated' ? 1 : 0,
    red: red.toSorted(),
  });
}

/** The suite finds nothing, though something is done otherwise than by the reference. */
export async function expectConformant(room: Room, variant?: Variant): Promise<void> {
  const judged = await inTurn(() => judge(room, variant));
  expect(summary(judged)).toEqual({ outcome: 'conformant', exitCode: 0, red: [] });
  const others = [...judged.verdicts].filter(([, verdict]) => verdict !== 'pass');
  const notApplicable = variant?.notApplicable ?? [];
  expect(others).toEqual(notApplicable.map((id) => [id, 'not-applicable']));
}

function summary({ outcome, exitCode, red }: Judgement): object {
  return { outcome, exitCode, red };
}
