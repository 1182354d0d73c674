import type { DeadLetterReason, Processor } from '@hookproof/receiver';

import type { Screen } from '../../command-line/screen.ts';
import type { StoreNames } from './open-store.ts';

/** The options of the command. */
export interface InboxOptions extends StoreNames {
  readonly store?: string;
  readonly reason?: DeadLetterReason;
  readonly run?: string;
  readonly limit: number;
  readonly yes?: true;
  readonly json?: true;
}

/** One call of the command. */
export interface InboxCall {
  readonly inbox: Processor;
  readonly words: readonly string[];
  readonly options: InboxOptions;
  readonly screen: Screen;
}
