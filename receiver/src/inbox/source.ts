import type { Processing } from '../processing.ts';

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
  | 'timeline'
  | 'deadLetters'
  | 'redrive'
  | 'replay'
  | 'discard'
  | 'pause'
  | 'resume'
  | 'report'
>;
