import type { DeadLetterFilter } from '@hookproof/receiver';

import type { InboxOptions } from './inbox-call.ts';

/** Returns which dead letters the options choose. */
export function deadLetterFilter({
  source,
  reason,
  run,
  automation,
  handler,
  message,
  since,
  until,
}: InboxOptions): DeadLetterFilter {
  return {
    ...(source !== undefined && { source }),
    ...(reason !== undefined && { reason }),
    ...(run !== undefined && { runId: run }),
    ...(automation !== undefined && { automationId: automation }),
    ...(handler !== undefined && { handler }),
    ...(message !== undefined && { message }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}
