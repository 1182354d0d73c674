import type { ReplayRequest } from '@hookproof/receiver';

import { mayChange, told } from './change.ts';
import type { InboxCall } from './inbox-call.ts';

/** Replays handled events. Without ids and without `--yes`, and with `--dry-run`, it only counts them. */
export async function replay({ inbox, words, options, screen }: InboxCall): Promise<number> {
  const { source, run, automation, handler, since, until } = options;
  const request: ReplayRequest = {
    ...(words.length > 0 && { ids: words }),
    ...(source !== undefined && { source }),
    ...(run !== undefined && { runId: run }),
    ...(automation !== undefined && { automationId: automation }),
    ...(handler !== undefined && { handler }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
  const isDone = mayChange(words, options);
  const count = await inbox.replay(request, { dryRun: !isDone });
  const noun = 'handled event whose body is kept';
  const done = { count, changed: 'replayed', isDone, noun, filter: request };
  return told('replay', done, { words, options, screen });
}
