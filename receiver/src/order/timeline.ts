/**
 * One event of a run as an edge from the status before it to the status after it. The creation of a
 * run enters the first status and has no previous one.
 */
export interface RunEdge {
  /** The event id. */
  readonly id: string;
  /** `null` for `run.created`. */
  readonly previousStatus: string | null;
  /** The status that the run has with this event. */
  readonly currentStatus: string;
  /** `createdAt` of the event (not of the run), ISO 8601. */
  readonly createdAt: string;
}

/**
 * A place where at least one event is missing: the run was in `after`, and the next known event
 * leaves `before`.
 */
export interface Gap {
  /** `null`: the creation of the run is missing. */
  readonly after: string | null;
  /** The status that the next known event leaves. */
  readonly before: string;
  /** Position in `steps` of the event after the gap. */
  readonly index: number;
}

/** The history of one run, as a set of its events shows it. */
export interface Timeline {
  /** Every possible event once, oldest first. */
  readonly steps: readonly RunEdge[];
  /** Where the walk breaks, oldest first. */
  readonly gaps: readonly Gap[];
  /**
   * Events that contradict the others: a second creation, an edge to the same status, or out of a
   * terminal status or after the first one.
   */
  readonly impossible: readonly RunEdge[];
  /** The status after the last of them; `null` when there is none. */
  readonly status: string | null;
  /** True when `status` is one that a run never leaves. */
  readonly isTerminal: boolean;
  /** True when the walk leads from the creation to `status` without a gap. */
  readonly isUnbroken: boolean;
  /**
   * True when another order of the same events is as good as `steps`: its walk has no more gaps,
   * and it differs only among events that are less far apart than clocks may differ. Also true when
   * the walk goes against `createdAt` in a way that a missing round trip explains as well.
   */
  readonly isAmbiguous: boolean;
}
