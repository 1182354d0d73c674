import type { Clock } from '../clock/clock.ts';
import type { Sender } from '../sender/sender.ts';
import type { Store } from '../store/store.ts';

/** What the control interface works with. */
export interface ControlServices {
  readonly store: Store;
  /** The clock of the server, which may be virtual. */
  readonly clock: Clock;
  readonly sender: Sender;
}
