import { RUN_STATUSES } from '@hookproof/spec';

import { UsageError } from '../../command-line/errors.ts';
import type { InboxCall } from './inbox-call.ts';

/** Pauses or resumes every handler, or those of one status, in every process. */
export async function changePause(
  what: 'pause' | 'resume',
  { inbox, words, options, screen }: InboxCall,
): Promise<number> {
  const [word, ...more] = words;
  const handler = RUN_STATUSES.find((status) => status === word);
  if (more.length > 0 || (word !== undefined && handler === undefined)) {
    throw new UsageError(
      `inbox ${what} must be followed by nothing or one status (${RUN_STATUSES.join(', ')}), got ${words.join(' ')}.`,
    );
  }
  await inbox[what](handler);
  const { paused } = await inbox.stats();
  if (options.json === true) screen.print(JSON.stringify({ paused }));
  else screen.print(paused.length === 0 ? 'nothing is paused' : `paused: ${paused.join(', ')}`);
  return 0;
}
