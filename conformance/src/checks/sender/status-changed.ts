import type { RunStatus } from '@hookproof/spec';

import type { Check } from '../../check-kit/check.ts';
import { dataOf, isTerminal, runOf } from '../../listener/delivery.ts';
import { Inconclusive, Violation } from '../../verdict/findings.ts';
import { absence } from './absence.ts';
import { about, isChain, isChange, isCreated, missingStatuses, transitionsOf } from './arrivals.ts';
import type { ReportedTransition } from './arrivals.ts';
import { runsCheck } from './sender-check.ts';
import { wordsOf } from './scenes/observed-run.ts';
import type { ObservedRun } from './scenes/observed-run.ts';
import type { ObservedRuns } from './scenes/observed-runs.ts';

/** The events of changes of a run. */
export const senderChangedChecks: readonly Check[] = [
  runsCheck({
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
  runsCheck({
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
  runsCheck({
    name: 'status-changed.every-move',
    requirements: [
      'webhook-event.status-changed.sent',
      'states.run.move-emits-event',
      'webhook-event.emitted-for-run-lifecycle',
    ],
    title: 'sends one event for every status change of a workflow run',
    judge: (observed) =>
      expectChanges(observed, ({ wanted }) => wanted.type !== 'agent', isNotTerminal),
  }),
  runsCheck({
    name: 'status-changed.agent-run',
    requirements: ['webhook-event.status-changed.sent', 'states.run.move-emits-event'],
    title: 'sends one event for every status change of an agent run',
    judge: (observed) =>
      expectChanges(observed, ({ wanted }) => wanted.type === 'agent', isNotTerminal),
  }),
  runsCheck({
    name: 'status-changed.every-ending',
    requirements: ['webhook-event.status-changed.sent', 'states.run.move-emits-event'],
    title: 'sends an event for the change to completed, failed, cancelled and rejected',
    judge: (observed) => expectChanges(observed, () => true, isTerminal),
  }),
  runsCheck({
    name: 'status-changed.chain',
    requirements: ['webhook-event.status-changed.chain'],
    title: 'the status changes of a run form one chain from its first status to its last',
    judge({ deliveries, runs }) {
      for (const { run, statuses } of runs) {
        const created = about(deliveries, run).find(isCreated);
        const first = created === undefined ? run.status : runOf(created.event)['status'];
        const found = transitionsOf(deliveries, run);
        if (missingStatuses(deliveries, run, statuses).length > 0) continue;
        if (isChain(String(first), found)) continue;
        throw new Violation({
          expected: `a chain of all changes of ${run.id} that begins at ${String(first)}`,
          actual: textOf(found),
        });
      }
    },
  }),
];

const MAX_SHOWN_TRANSITIONS = 30;

function textOf(found: readonly ReportedTransition[]): string {
  const shown = found.slice(0, MAX_SHOWN_TRANSITIONS).map(({ from, to }) => `${from} → ${to}`);
  const more = found.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`and ${more} more`])].join(', ');
}

function isNotTerminal(status: RunStatus): boolean {
  return !isTerminal(status);
}

/** Throws unless each change of these runs to one of these statuses has its event. */
function expectChanges(
  observed: ObservedRuns,
  isConcerned: (run: ObservedRun) => boolean,
  isWanted: (status: RunStatus) => boolean,
): void {
  const { deliveries, runs, refusals } = observed;
  const concerned = runs.filter((run) => isConcerned(run) && run.statuses.some(isWanted));
  if (concerned.length === 0) {
    throw refusals[0] ?? new Inconclusive('Cannot judge: no such run changed its status.');
  }
  for (const { run, statuses, wanted } of concerned) {
    const missing = missingStatuses(deliveries, run, statuses).filter(isWanted);
    if (missing.length === 0) continue;
    throw absence(
      observed,
      `an event for each change of ${run.id}, ${wordsOf(wanted)}, to ${statuses.filter(isWanted).join(', ')}`,
      ` of the change to ${missing.join(', ')}`,
    );
  }
}
