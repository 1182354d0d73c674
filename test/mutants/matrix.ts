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
    async expectRed(room, { red, outcome = 'violated', ...patch }) {
      expect(summary(await judgeInTurn(room, patch))).toEqual({
        outcome,
        exitCode: outcome === 'violated' ? 1 : 0,
        red: red.toSorted(),
      });
    },
    async expectConformant(room, variant) {
      const { verdicts, ...rest } = await judgeInTurn(room, variant);
      expect(rest).toEqual({ outcome: 'conformant', exitCode: 0, red: [] });
      const others = [...verdicts].filter(([, verdict]) => verdict !== 'pass');
      const notApplicable = variant?.notApplicable ?? [];
      expect(others).toEqual(notApplicable.map((id) => [id, 'not-applicable']));
    },
    async close() {
      await Promise.all(inspectors.map((inspector) => inspector.close()));
    },
  };
}

function summary({ outcome, exitCode, red }: Judgement): object {
  return { outcome, exitCode, red };
}
