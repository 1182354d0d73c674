import { TERMINAL_RUN_STATUSES } from '@hookproof/spec';
import type { RunStatus } from '@hookproof/spec';

import type { Check, CheckContext } from '../../check-kit/check.ts';
import type { ControlledRun } from '../../clients/control-client.ts';
import { Inconclusive, NoResponse } from '../../verdict/findings.ts';
import { expectOf, sender } from './sender-check.ts';
import { dataOf, withRig } from './rig.ts';

const ENDINGS: readonly (readonly RunStatus[])[] = [
  ['running', 'finalizing', 'completed'],
  ['running', 'finalizing', 'failed'],
  ['cancelled'],
  ['rejected'],
];
const ATTEMPTED: readonly RunStatus[] = ['pending', 'running', 'cancelled', 'failed'];

/**
 * Runs in a terminal status, with attempts to change it. The deployment may refuse these through its
 * control interface; the events show what the contract promises. The window ends with the events of a later run.
 */
export const senderTerminalChecks: readonly Check[] = [
  sender.check({
    name: 'run.terminal-is-final',
    requirements: ['states.run.terminal'],
    title: 'no event reports a change from completed, failed, cancelled or rejected',
    run: (context) =>
      withRig(context, async (rig) => {
        const runs: ControlledRun[] = [];
        for (const ending of ENDINGS) {
          const run = await rig.createRun();
          await rig.move(run, ...ending);
          for (const status of ATTEMPTED) await attemptMove(context, run, status);
          runs.push(run);
        }
        const later = await rig.createRun();
        await rig.until(`events of ${runs.length} ended runs and a later one`, () =>
          [...runs, later].every((run) => rig.about(run).length > 0),
        );
        await context.control.waitForIdle();
        for (const delivery of runs.flatMap((run) => rig.about(run))) {
          const { previousStatus, currentStatus } = dataOf(delivery.event);
          const ended = TERMINAL_RUN_STATUSES.some((terminal) => terminal === previousStatus);
          const move = `${String(previousStatus)} → ${String(currentStatus)}`;
          const left = ended && currentStatus !== previousStatus;
          expectOf(rig, delivery, !left, 'no change from a terminal status', move);
        }
      }),
  }),
];

/** The control interface may refuse the change. */
async function attemptMove(
  { control }: CheckContext,
  { id }: ControlledRun,
  status: RunStatus,
): Promise<void> {
  try {
    await control.moveRun(id, { status });
  } catch (error) {
    if (!(error instanceof Inconclusive) || error instanceof NoResponse) throw error;
  }
}
