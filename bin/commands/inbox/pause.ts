import { RUN_STATUSES } from '@hookproof/spec';

import { UsageError } from '../../command-line/errors.ts';
import type { InboxCall } from './inbox-call.ts';

/**
 * Pauses or resumes every handler, those of one status, or those of one source or of one of its
 * types, in every process.
 */
export async function changePause(
  what: 'pause' | 'resume',
  { inbox, words, options, screen }: InboxCall,
): Promise<number> {
  const [handler, ...more] = words;
  const { source } = options;
  const isStatus = RUN_STATUSES.some((status) => status === handler);
  if (more.length > 0 || (source === undefined && handler !== undefined && !isStatus)) {
    throw new UsageError(
      `inbox ${what} must be followed by nothing, one status (${RUN_STATUSES.join(', ')}), or with --source one type of that source, got ${words.join(' ')}.`,
    );
  }
  await inbox[what]({
    ...(source !== undefined && { source }),
    ...(handler !== undefined && { handler }),
  });
  const { paused } = await inbox.stats();
  if (options.json === true) screen.print(JSON.stringify({ paused }));
  else screen.print(paused.length === 0 ? 'nothing is paused' : `paused: ${paused.join(', ')}`);
  return 0;
}
