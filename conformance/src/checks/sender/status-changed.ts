import type { RunStatus } from '@hookproof/spec';
import { TERMINAL_RUN_STATUSES } from '@hookproof/spec';

import type { Check } from '../../check-kit/check.ts';
import { dataOf, runOf } from '../../listener/delivery.ts';
import { Inconclusive, Violation } from '../../verdict/findings.ts';
import { absence } from './absence.ts';
import { about, isChain, isChange, isCreated, missingMoves, movesOf } from './arrivals.ts';
import { lifeCheck } from './sender-check.ts';
import type { LivedRun } from './scenes/lived-run.ts';
import type { Life } from './scenes/life.ts';

/** The events of changes of a run. */
export const senderChangedChecks: readonly Check[] = [
  lifeCheck({
    name: 'status-changed.sent',
    requirements: ['webhook-event.status-changed.sent', 'webhook-event.emitted-for-run-lifecycle'],
    title: 'sends run.status_changed for a status change',
    judge(life) {
      const { deliveries, runs } = life;
      const moved = runs.filter(({ moves }) => moves.length > 0);
      if (moved.length === 0) throw new Inconclusive('Cannot judge: no run changed its status.');
      if (moved.some(({ run }) => movesOf(deliveries, run).length > 0)) return;
      throw absence(life, `run.status_changed of ${moved.length} runs`);
    },
  }),
  lifeCheck({
    name: 'status-changed.previous-and-current',
    requirements: ['webhook-event.status-changed.previous-and-current'],
    title: 'run.status_changed has previousStatus and currentStatus, both strings',
    judge({ deliveries }, expect) {
      for (const delivery of deliveries.filter(isChange)) {
        const { previousStatus, currentStatus } = dataOf(delivery.event);
        const strings = typeof previousStatus === 'string' && typeof currentStatus === 'string';
        expect(delivery, strings, 'two strings', { previousStatus, currentStatus });
      }
    },
  }),
  lifeCheck({
    name: 'status-changed.current-equals-run',
    requirements: ['webhook-event.status-changed.current-equals-run'],
    title: 'currentStatus equals the status of the run in the event',
    judge({ deliveries }, expect) {
      for (const delivery of deliveries.filter(isChange)) {
        const { currentStatus } = dataOf(delivery.event);
        const { status } = runOf(delivery.event);
        expect(delivery, currentStatus === status, String(status), currentStatus);
      }
    },
  }),
  lifeCheck({
    name: 'status-changed.every-move',
    requirements: ['webhook-event.status-changed.sent', 'states.run.move-emits-event'],
    title: 'sends one event for every status change of a workflow run',
    judge: (life) => expectMoves(life, ({ wanted }) => wanted.type !== 'agent', isNotTerminal),
  }),
  lifeCheck({
    name: 'status-changed.agent-run',
    requirements: ['webhook-event.status-changed.sent', 'states.run.move-emits-event'],
    title: 'sends one event for every status change of an agent run',
    judge: (life) => expectMoves(life, ({ wanted }) => wanted.type === 'agent', isNotTerminal),
  }),
  lifeCheck({
    name: 'status-changed.every-ending',
    requirements: ['webhook-event.status-changed.sent', 'states.run.move-emits-event'],
    title: 'sends an event for the change to completed, failed, cancelled and rejected',
    judge: (life) => expectMoves(life, () => true, isTerminal),
  }),
  lifeCheck({
    name: 'status-changed.chain',
    requirements: ['webhook-event.status-changed.chain'],
    title: 'the status changes of a run form one chain from its first status to its last',
    judge({ deliveries, runs }) {
      for (const { run, moves } of runs) {
        const created = about(deliveries, run).find(isCreated);
        const first = created === undefined ? run.status : runOf(created.event)['status'];
        const found = movesOf(deliveries, run);
        if (missingMoves(deliveries, run, moves).length > 0) continue;
        if (isChain(String(first), found)) continue;
        throw new Violation({
          expected: `a chain of all changes of ${run.id} that begins at ${String(first)}`,
          actual: found.map(({ from, to }) => `${from} → ${to}`).join(', '),
        });
      }
    },
  }),
];

function isTerminal(status: RunStatus): boolean {
  return TERMINAL_RUN_STATUSES.some((terminal) => terminal === status);
}

function isNotTerminal(status: RunStatus): boolean {
  return !isTerminal(status);
}

/** Throws unless each change of these runs to one of these statuses has its event. */
function expectMoves(
  life: Life,
  isConcerned: (run: LivedRun) => boolean,
  isWanted: (status: RunStatus) => boolean,
): void {
  const { deliveries, runs, refusals } = life;
  const concerned = runs.filter((lived) => isConcerned(lived) && lived.moves.some(isWanted));
  if (concerned.length === 0) {
    throw refusals[0] ?? new Inconclusive('Cannot judge: no such run changed its status.');
  }
  for (const { run, moves, wanted } of concerned) {
    const missing = missingMoves(deliveries, run, moves).filter(isWanted);
    if (missing.length === 0) continue;
    const { type = 'workflow', triggerType = 'api' } = wanted;
    throw absence(
      life,
      `an event for each change of ${run.id}, a ${type} run of trigger ${triggerType}, to ${moves.filter(isWanted).join(', ')}`,
      ` of the change to ${missing.join(', ')}`,
    );
  }
}
