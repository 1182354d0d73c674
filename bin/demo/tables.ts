import type { RunEvent } from '@hookproof/spec';

import type { Screen } from '../command-line/screen.ts';
import type { Arrival } from './unreliable-network.ts';
import type { ConsumerLine } from './consumer.ts';

/** The width of a terminal that has its usual size. */
const MAX_COLUMNS = 80;

const FAULT_NOTES = {
  none: '',
  refused: '503',
  'response lost': 'response lost',
} as const;

/** Returns a line for each delivery attempt that the network saw, in the order of arrival. */
export function arrivalTable(
  arrivals: readonly Arrival[],
  lines: readonly ConsumerLine[],
  names: ReadonlyMap<string, string>,
  screen: Screen,
): string[] {
  const { dim, green, yellow, red } = screen.paint;
  const codes = codesByEvent(lines);
  return arrivals.map(({ event, attempt, fault }, index) => {
    const outcome = fault === 'refused' ? 'refused' : (codes.get(event.id)?.shift() ?? '?');
    const paint = { accepted: green, duplicate: yellow }[outcome] ?? red;
    const run = names.get(event.data.run.id) ?? '?';
    const cells = [
      String(index + 1).padStart(4),
      run.padEnd(8),
      transitionOf(event).padEnd(22),
      `attempt ${attempt}`,
      paint(outcome.padEnd(9)),
    ];
    return `${cells.join('  ')}  ${dim(FAULT_NOTES[fault])}`.trimEnd();
  });
}

/** The receiver's codes for the attempts of each event, in the order of arrival. */
function codesByEvent(lines: readonly ConsumerLine[]): Map<string, string[]> {
  const codes = new Map<string, string[]>();
  for (const { eventId, code } of lines.flatMap((line) => line.arrived ?? [])) {
    if (eventId !== null) codes.set(eventId, [...(codes.get(eventId) ?? []), code]);
  }
  return codes;
}

/** "running → waiting", or "created (pending)" with the first status of a new run. */
function transitionOf(event: RunEvent): string {
  return event.type === 'run.created'
    ? `created (${event.data.run.status})`
    : `${event.data.previousStatus} → ${event.data.currentStatus}`;
}

/** Returns the lines of each run: the statuses in the order in which the consumer's handlers saw them. */
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
    const end = settled.has(runId) ? green('every event, once and in order') : 'not all events';
    return [`  ${bold(name.padEnd(10))}${end}`, ...wrapped(statuses)].join('\n');
  });
}

/** The statuses with arrows between them, in lines of at most 80 columns. */
function wrapped(statuses: readonly string[]): readonly string[] {
  const indent = ' '.repeat(12);
  const lines: string[] = [];
  let line = indent;
  for (const [place, status] of statuses.entries()) {
    const isLast = place === statuses.length - 1;
    const text = isLast ? status : `${status} → `;
    if (line.length + text.trimEnd().length > MAX_COLUMNS) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += text;
  }
  return [...lines, line];
}
