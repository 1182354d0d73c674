import type { InboxCall } from './inbox-call.ts';

/** What is named by its ids is changed; what a filter chooses is only counted without `--yes`. */
export function mayChange(
  words: InboxCall['words'],
  { yes, dryRun }: Pick<InboxCall['options'], 'yes' | 'dryRun'>,
): boolean {
  return dryRun !== true && (words.length > 0 || yes === true);
}

/** Prints how many events were changed, or would be. Returns the exit code. */
export function told(
  what: string,
  {
    count,
    changed,
    isDone,
    noun,
    filter,
  }: {
    readonly count: number;
    readonly changed: string;
    readonly isDone: boolean;
    /** What can be changed. */
    readonly noun: string;
    readonly filter: object;
  },
  { words, options, screen }: Pick<InboxCall, 'words' | 'options' | 'screen'>,
): number {
  const isUnknown = words.length > 0 && count === 0;
  const those = words.length === 0 ? 'what was chosen' : words.join(', ');
  const none =
    Object.keys(filter).length === 0 ? `there is no ${noun}` : `no ${noun} matches ${those}`;
  if (options.json === true) screen.print(JSON.stringify({ [what]: count, done: isDone }));
  else if (count === 0) screen.print(`0 ${changed}: ${none}.`);
  else if (isDone) screen.print(`${count} ${changed}`);
  else {
    const fix = options.dryRun === true ? 'Nothing was changed.' : 'Add --yes.';
    screen.print(`${count} would be ${changed}. ${fix}`);
  }
  return isUnknown ? 1 : 0;
}
