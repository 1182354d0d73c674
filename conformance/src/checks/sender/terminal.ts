import type { Check } from '../../check-kit/check.ts';
import { dataOf, isTerminal } from '../../listener/delivery.ts';
import { Inconclusive } from '../../verdict/findings.ts';
import { isChange } from './arrivals.ts';
import { runsCheck } from './sender-check.ts';
import { isEnded } from './scenes/afterwards.ts';

/** Runs in a terminal status, after attempts to change it. The control interface may refuse these. */
export const senderTerminalChecks: readonly Check[] = [
  runsCheck({
    name: 'run.terminal-is-final',
    requirements: ['states.run.terminal'],
    needs: ['driver', 'control'],
    title: 'no event reports a change from completed, failed, cancelled or rejected',
    judge({ deliveries, runs }, expect) {
      if (!runs.some(isEnded)) throw new Inconclusive('Cannot judge: no run has ended.');
      for (const delivery of deliveries.filter(isChange)) {
        const { previousStatus, currentStatus } = dataOf(delivery.event);
        const transition = `${String(previousStatus)} → ${String(currentStatus)}`;
        const isLeft = isTerminal(previousStatus) && currentStatus !== previousStatus;
        expect(delivery, !isLeft, 'no change from a terminal status', transition);
      }
    },
  }),
];
