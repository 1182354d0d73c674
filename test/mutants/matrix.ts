import { availableParallelism } from 'node:os';
import { expect } from 'vitest';

import type { Patch, Room } from './build.ts';
import type { Inspector } from './inspector.ts';
import { judge } from './judge.ts';
import type { Judgement } from './judge.ts';
import type { Mutant, Variant } from './mutant.ts';
import { shareOut } from './turns.ts';

/** Judges targets, some of them side by side. */
export interface Matrix {
  /** The suite turns exactly the predicted checks red, and the exit code says so. */
  expectRed(room: Room, mutant: Mutant): Promise<void>;
  /** The suite finds nothing, though something is done otherwise than by the reference. */
  expectConformant(room: Room, variant?: Variant): Promise<void>;
  close(): Promise<void>;
}

/** One target more than there are cores is judged at once: each waits for real time now and then. */
export function openMatrix(openInspector: () => Inspector): Matrix {
  const inspectors = Array.from({ length: availableParallelism() + 1 }, openInspector);
  const inTurn = shareOut(inspectors);
  const judgeInTurn = (room: Room, patch?: Patch): Promise<Judgement> =>
    inTurn((inspector) => judge(inspector, room, patch));
  return {
    async expectRed(room, { red, outcome, ...patch }) {
      assertRed(await judgeInTurn(room, patch), { red, outcome });
    },
    async expectConformant(room, variant) {
      assertConformant(await judgeInTurn(room, variant), variant?.notApplicable);
    },
    async close() {
      await Promise.all(inspectors.map((inspector) => inspector.close()));
    },
  };
}

/** The checks that failed are exactly the predicted ones, and the exit code says so. */
export function assertRed(
  judgement: Judgement,
  { red, outcome = 'violated' }: { red: Mutant['red']; outcome?: Mutant['outcome'] | undefined },
): void {
  const { verdicts: _, ...rest } = judgement;
  expect(rest).toEqual({
    outcome,
    exitCode: outcome === 'violated' ? 1 : 0,
    red: red.toSorted(),
  });
}

/** Every check passes, except those that do not apply. */
export function assertConformant(
  judgement: Judgement,
  notApplicable: readonly string[] = [],
): void {
  const { verdicts, ...rest } = judgement;
  expect(rest).toEqual({ outcome: 'conformant', exitCode: 0, red: [] });
  const others = [...verdicts].filter(([, verdict]) => verdict !== 'pass');
  expect(others).toEqual(notApplicable.map((id) => [id, 'not-applicable']));
}
