import type { DeadLetterFilter, DeadLetterPage } from '@hookproof/receiver';

import type { InboxCall } from './inbox-call.ts';

/** Handles dead letters again or gives them up. Without ids and without `--yes` it only counts them. */
export async function changeDead(
  what: 'redrive' | 'discard',
  { inbox, words, options, screen }: InboxCall,
): Promise<number> {
  const { reason, run, yes, json } = options;
  const filter: DeadLetterFilter = {
    ...(words.length > 0 && { ids: words }),
    ...(reason !== undefined && { reason }),
    ...(run !== undefined && { runId: run }),
  };
  const isDone = words.length > 0 || yes === true;
  const count = isDone ? await inbox[what](filter) : await countOf(inbox, filter);
  if (json === true) screen.print(JSON.stringify({ [what]: count, done: isDone }));
  else if (isDone) {
    screen.print(`${count} ${what === 'redrive' ? 'to be handled again' : 'discarded'}`);
  } else
    screen.print(
      `${count} would be ${what === 'redrive' ? 'handled again' : 'discarded'}. Add --yes.`,
    );
  return words.length > 0 && count === 0 ? 1 : 0;
}

async function countOf(inbox: InboxCall['inbox'], filter: DeadLetterFilter): Promise<number> {
  let count = 0;
  let after: string | null = null;
  do {
    const page: DeadLetterPage = await inbox.deadLetters({
      ...filter,
      ...(after !== null && { after }),
      limit: 1_000,
    });
    count += page.items.length;
    after = page.next;
  } while (after !== null);
  return count;
}
