import type { Processing } from '../processing.ts';

/** What the page needs of a receiver or a processor. */
export type InboxSource = Pick<
  Processing,
  | 'stats'
  | 'waiting'
  | 'inspect'
  | 'timeline'
  | 'deadLetters'
  | 'redrive'
  | 'discard'
  | 'pause'
  | 'resume'
>;
