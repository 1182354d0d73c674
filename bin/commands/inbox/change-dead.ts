import type { DeadLetterFilter } from '@hookproof/receiver';

import { mayChange, told } from './change.ts';
import { deadLetterFilter } from './dead-letter-filter.ts';
import type { InboxCall } from './inbox-call.ts';

/** Redrives dead letters or discards them. Without ids and without `--yes`, and with `--dry-run`, it only counts them. */
export async function changeDead(
  what: 'redrive' | 'discard',
  { inbox, words, options, screen }: InboxCall,
): Promise<number> {
  const filter: DeadLetterFilter = {
    ...(words.length > 0 && { ids: words }),
    ...deadLetterFilter(options),
  };
  const isDone = mayChange(words, options);
  const count = await inbox[what](filter, { dryRun: !isDone });
  const changed = what === 'redrive' ? 'redriven' : 'discarded';
  const noun = 'dead letter';
  return told(what, { count, changed, isDone, noun, filter }, { words, options, screen });
}
