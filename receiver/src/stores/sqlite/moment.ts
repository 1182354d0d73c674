/** The readings of the clock of the host at one time. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly wall: number;
  /** Milliseconds that never step; shared by the processes of the machine until it restarts. */
  readonly monotonic: number;
}
