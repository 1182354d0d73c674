import type { StoredRun } from '@hookproof/receiver';

import type { InboxCall } from './inbox-call.ts';
import { printPage } from './lists.ts';

/** Prints the newest runs, or those of one agent or workflow. */
export async function showRuns(call: InboxCall): Promise<number> {
  const { source, automation, limit } = call.options;
  const page = await call.inbox.runs({
    limit,
    ...(source !== undefined && { source }),
    ...(automation !== undefined && { automationId: automation }),
  });
  if (page.items.length === 0 && source === undefined) {
    call.screen.log('These are the runs of the source platform. Name another with --source.');
  }
  return printPage(page, printRun, 'No runs.', call);
}

function printRun(
  { runId, automationId, status, open, dead, handled }: StoredRun,
  screen: InboxCall['screen'],
): void {
  const counts = [
    dead > 0 ? screen.paint.red(`${dead} dead`) : '',
    open > 0 ? `${open} waiting` : '',
    handled > 0 ? `${handled} handled` : '',
  ].filter((count) => count !== '');
  const about = `${(status ?? '–').padEnd(10)}  ${counts.join(', ')}`;
  screen.print(`${runId}  ${automationId ?? '–'}  ${about}`);
}
