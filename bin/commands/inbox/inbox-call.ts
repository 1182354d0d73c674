import type { DeadLetterReason, Processor } from '@hookproof/receiver';

import type { Screen } from '../../command-line/screen.ts';
import type { StoreNames } from './open-store.ts';

/** The options of the command. */
export interface InboxOptions extends StoreNames {
  readonly store?: string;
  /** The name of a source. */
  readonly source?: string;
  readonly reason?: DeadLetterReason;
  readonly message?: string;
  readonly run?: string;
  readonly automation?: string;
  readonly handler?: string;
  /** In milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
  readonly limit: number;
  readonly yes?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

/** One call of the command. */
export interface InboxCall {
  readonly inbox: Processor;
  readonly words: readonly string[];
  readonly options: InboxOptions;
  readonly screen: Screen;
}
