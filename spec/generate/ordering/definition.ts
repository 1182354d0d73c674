import type { OrderingVector } from '@hookproof/spec/vectors';

/** A case in short form. */
export interface OrderingDefinition {
  readonly id: string;
  readonly comment: string;
  readonly flags: readonly string[];
  /**
   * The events in order of arrival, each as `NAME FROM>TO TIME`. The event id is `whev_NAME`. Without
   * FROM it is the creation of the run. TIME is a number of seconds after `2026-07-01T12:00:00Z`, or a
   * complete `createdAt`.
   */
  readonly events: readonly string[];
  /** The names of the steps, oldest first, with blanks between them. */
  readonly steps: string;
  /** The names of the impossible events, by `createdAt`. Default: none. */
  readonly impossible?: string;
  /** Default: false. */
  readonly isAmbiguous?: boolean;
}

const TERMINAL: ReadonlySet<string | null> = new Set([
  'completed',
  'failed',
  'cancelled',
  'rejected',
]);

/** Completes a case: everything but the order follows from the statuses of the steps. */
export function toOrderingVector(definition: OrderingDefinition): OrderingVector {
  const events = definition.events.map(toEvent);
  const byId = new Map(events.map((event) => [event.id, event] as const));
  const steps = idsOf(definition.steps);
  const gaps: OrderingVector['timeline']['gaps'][number][] = [];
  let status: string | null = null;
  for (const [index, id] of steps.entries()) {
    const event = byId.get(id);
    if (event === undefined) throw new Error(`${definition.id}: no event ${id}`);
    const before = event.previousStatus;
    if (before !== null && before !== status) gaps.push({ after: status, before, index });
    status = event.currentStatus;
  }
  return {
    id: definition.id,
    comment: definition.comment,
    flags: definition.flags,
    events,
    timeline: {
      steps,
      gaps,
      impossible: idsOf(definition.impossible ?? ''),
      status,
      isTerminal: TERMINAL.has(status),
      isUnbroken: steps.length > 0 && gaps.length === 0,
      isAmbiguous: definition.isAmbiguous ?? false,
    },
  };
}

function toEvent(text: string): OrderingVector['events'][number] {
  const [name = '', move = '', time = ''] = text.split(' ');
  const [from = '', currentStatus = ''] = move.split('>');
  return {
    id: `whev_${name}`,
    previousStatus: from === '' ? null : from,
    currentStatus,
    createdAt: /^[\d.]+$/.test(time) ? afterNoon(time) : time,
  };
}

/** Writes the seconds with as many digits as they are given. */
function afterNoon(seconds: string): string {
  const [whole = '0', digits] = seconds.split('.');
  const noon = Date.parse('2026-07-01T12:00:00Z');
  const text = new Date(noon + Number(whole) * 1000).toISOString().slice(0, 19);
  return digits === undefined ? `${text}Z` : `${text}.${digits}Z`;
}

function idsOf(names: string): string[] {
  return names === '' ? [] : names.split(' ').map((name) => `whev_${name}`);
}
