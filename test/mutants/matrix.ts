import { availableParallelism } from 'node:os';
import { expect } from 'vitest';

import type { Patch, Room } from './build.ts';
import type { Inspector } from './inspector.ts';
import { judge } from './judge.ts';
import type { Judgement } from './judge.ts';
import type { Mutant, Variant } from './mutant.ts';
import { shareOut } from './turns.ts';

/** Judges targets, several at the same time. */
export interface Matrix {
  /** Asserts that exactly the predicted checks fail, with the matching exit code. */
  expectFailures(room: Room, mutant: Mutant): Promise<void>;
  /** Asserts that no check fails, although the target differs from the reference. */
  expectConformant(room: Room, variant?: Variant): Promise<void>;
  close(): Promise<void>;
}

/** Judges one more target than there are cores at once, because each sometimes waits in real time. */
export function openMatrix(openInspector: () => Inspector): Matrix {
  const inspectors = Array.from({ length: availableParallelism() + 1 }, openInspector);
  const inTurn = shareOut(inspectors);
  const judgeInTurn = (room: Room, patch?: Patch): Promise<Judgement> =>
    inTurn((inspector) => judge(inspector, room, patch));
  return {
    async expectFailures(room, { fails, outcome, ...patch }) {
      assertFailures(await judgeInTurn(room, patch), { fails, outcome });
    },
    async expectConformant(room, variant) {
      assertConformant(await judgeInTurn(room, variant), variant?.notApplicable);
    },
    async close() {
      await Promise.all(inspectors.map((inspector) => inspector.close()));
    },
  };
}

/** Asserts that exactly the predicted checks failed, with the matching exit code. */
export function assertFailures(
  judgement: Judgement,
  {
    fails,
    outcome = 'violated',
  }: { fails: Mutant['fails']; outcome?: Mutant['outcome'] | undefined },
): void {
  const { verdicts: _, ...rest } = judgement;
  expect(rest).toEqual({
    outcome,
    exitCode: outcome === 'violated' ? 1 : 0,
    fails: fails.toSorted(),
  });
}

/** Asserts that every check passes, except those that do not apply. */
export function assertConformant(
  judgement: Judgement,
  notApplicable: readonly string[] = [],
): void {
  const { verdicts, ...rest } = judgement;
  expect(rest).toEqual({ outcome: 'conformant', exitCode: 0, fails: [] });
  const others = [...verdicts].filter(([, verdict]) => verdict !== 'pass');
  expect(others).toEqual(notApplicable.map((id) => [id, 'not-applicable']));
}
