import type { INBOX, Processing } from '../processing/processing.ts';

/** What the page needs of a receiver or a processor. */
export type InboxSource = Pick<
  Processing,
  | 'sources'
  | 'stats'
  | 'byHour'
  | 'waiting'
  | 'runs'
  | 'body'
  | 'inspect'
  | 'deadLetters'
  | 'redrive'
  | 'replay'
  | 'discard'
  | 'pause'
  | 'resume'
  | typeof INBOX
>;
