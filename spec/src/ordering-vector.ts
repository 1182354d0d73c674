/** The parts of an event that its order depends on. */
export interface OrderingEvent {
  readonly id: string;
  /** `null` for `run.created`. */
  readonly previousStatus: string | null;
  readonly currentStatus: string;
  readonly createdAt: string;
}

/** Events of one run, and the only right history that follows from them. See `spec/vectors/README.md`. */
export interface OrderingVector {
  readonly id: string;
  readonly comment: string;
  /** Keys of `OrderingVectors.notes`. */
  readonly flags: readonly string[];
  /** In order of arrival. Every other order of arrival has the same timeline. */
  readonly events: readonly OrderingEvent[];
  readonly timeline: {
    /** Event ids, oldest first. If the timeline is ambiguous, other orders are right too. */
    readonly steps: readonly string[];
    /** Places where events are missing, oldest first. `index` is a position in `steps`. */
    readonly gaps: readonly {
      readonly after: string | null;
      readonly before: string;
      readonly index: number;
    }[];
    /** Ids of the events that contradict the others, by `createdAt`. */
    readonly impossible: readonly string[];
    /** The status after the last step. */
    readonly status: string | null;
    readonly isTerminal: boolean;
    /** Whether the steps lead from the creation to `status` without a gap. */
    readonly isUnbroken: boolean;
    /** Whether another order of the same events is equally good. */
    readonly isAmbiguous: boolean;
  };
}

/** Cases about one kind of mistake. */
export interface OrderingVectorGroup {
  readonly name: string;
  readonly comment: string;
  readonly vectors: readonly OrderingVector[];
}

/** A bug that some vectors detect. */
export interface OrderingVectorNote {
  readonly bugType: string;
  readonly effect: string;
}

export interface OrderingVectors {
  readonly about: string;
  readonly numberOfVectors: number;
  /** How far the clocks that write `createdAt` may differ, in milliseconds. */
  readonly clockSkewMilliseconds: number;
  readonly notes: Readonly<Record<string, OrderingVectorNote>>;
  readonly groups: readonly OrderingVectorGroup[];
}
