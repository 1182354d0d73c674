import type { RunEvent } from '@hookproof/spec';

import type { Screen } from '../screen.ts';
import type { Crossing } from './bad-network.ts';
import type { ConsumerLine } from './consumer.ts';

/** "running → waiting", or the first status of a created run. */
function moveOf(event: RunEvent): string {
  return event.type === 'run.created'
    ? `created as ${event.data.run.status}`
    : `${event.data.previousStatus} → ${event.data.currentStatus}`;
}

const TROUBLE = {
  none: '',
  refused: 'refused by the network (503), comes again later',
  'answer lost': 'taken, but the answer was lost, comes twice',
} as const;

/** What crossed the network, in the order of arrival. */
export function arrivalTable(
  crossings: readonly Crossing[],
  lines: readonly ConsumerLine[],
  names: ReadonlyMap<string, string>,
  screen: Screen,
): string[] {
  const { dim, green, yellow, red } = screen.paint;
  const arrivals = lines.flatMap((line) => line.arrived ?? []);
  const answers = new Map<string, string[]>();
  for (const { eventId, code } of arrivals) {
    if (eventId !== null) answers.set(eventId, [...(answers.get(eventId) ?? []), code]);
  }
  return crossings.map(({ event, attempt, trouble }, index) => {
    const outcome = trouble === 'refused' ? 'not reached' : (answers.get(event.id)?.shift() ?? '?');
    const paint = { accepted: green, duplicate: yellow }[outcome] ?? red;
    const run = names.get(event.data.run.id) ?? '?';
    const cells = [
      String(index + 1).padStart(4),
      run.padEnd(10),
      moveOf(event).padEnd(24),
      `try ${attempt}`,
      paint(outcome.padEnd(11)),
    ];
    return `${cells.join('  ')}  ${dim(TROUBLE[trouble])}`.trimEnd();
  });
}

/** For each run, the order in which the consumer's handlers saw it. */
export function handledTable(
  lines: readonly ConsumerLine[],
  names: ReadonlyMap<string, string>,
  screen: Screen,
): string[] {
  const { bold, green } = screen.paint;
  const settled = new Set(lines.flatMap((line) => line.settled?.runId ?? []));
  return [...names].map(([runId, name]) => {
    const statuses = lines
      .flatMap((line) => line.handled ?? [])
      .filter((handled) => handled.runId === runId)
      .map((handled) => handled.status);
    const end = settled.has(runId) ? green('settled: complete and in order') : 'not settled';
    return `  ${bold(name.padEnd(10))}${statuses.join(' → ')}   ${end}`;
  });
}
