import type { RunEvent } from '@hookproof/spec';

/**
 * One event of a run as a step between two statuses. The creation of a run has no previous status
 * and enters the first one.
 */
export interface RunEdge {
  /** The event id. */
  readonly id: string;
  /** `null` for `run.created`. */
  readonly previousStatus: string | null;
  readonly currentStatus: string;
  /** ISO 8601, of the event, not of the run. */
  readonly createdAt: string;
}

/** The step that an event tells of. */
export function edgeOf(event: RunEvent): RunEdge {
  return {
    id: event.id,
    previousStatus: event.type === 'run.created' ? null : event.data.previousStatus,
    currentStatus: event.data.run.status,
    createdAt: event.createdAt,
  };
}

/** When the event says it happened, in milliseconds since the epoch. */
export function edgeTime(edge: RunEdge): number {
  const time = Date.parse(edge.createdAt);
  if (Number.isFinite(time)) return time;
  throw new TypeError(
    `createdAt of event ${JSON.stringify(edge.id)} must be an ISO 8601 time; ` +
      `received ${JSON.stringify(edge.createdAt)}`,
  );
}
