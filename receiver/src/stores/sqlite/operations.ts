import type { Change, EventFilter, Store } from '../store.ts';
import type { Moment } from './moment.ts';

/** What the thread does as the store is asked for it. */
type Whole =
  | 'accept'
  | 'take'
  | 'events'
  | 'renew'
  | 'begin'
  | 'finish'
  | 'stats'
  | 'byHour'
  | 'list'
  | 'keys'
  | 'body'
  | 'paused';

/** What the thread can do. Run each inside a transaction. */
export type Operations = {
  readonly [Name in Whole]: (
    at: Moment,
    ...args: Parameters<Store[Name]>
  ) => Awaited<ReturnType<Store[Name]>>;
} & {
  /** Counts what a change would change. */
  readonly count: (at: Moment, what: Change, filter: Omit<EventFilter, 'state'>) => number;
  /**
   * Changes the events of the next jobs. `last`: pass it as `after` for the next part; `null`: no
   * more.
   */
  readonly changeSome: (
    at: Moment,
    what: Change,
    filter: Omit<EventFilter, 'state'>,
    after: number,
  ) => { readonly count: number; readonly last: number | null };
  /** Returns true when a pause has ended, and waiting jobs are to be made due. */
  readonly setPaused: (at: Moment, name: string, isPaused: boolean) => boolean;
  /** Makes some jobs due that wait for a time. False: no more. */
  readonly makeSomeDue: (at: Moment) => boolean;
  /** Forgets some old jobs; returns the number of events, 0 at the end. */
  readonly purgeSome: (at: Moment, olderThan: number) => number;
  /** Deletes some kept bodies whose time is over. False: no more. */
  readonly purgeSomeBodies: (at: Moment) => boolean;
};

export type OperationName = keyof Operations;

/** The arguments and the result of an operation as the app sees it. */
export type Arguments<Name extends OperationName> = Operations[Name] extends (
  at: Moment,
  ...args: infer Args
) => unknown
  ? Args
  : never;
export type Result<Name extends OperationName> = ReturnType<Operations[Name]>;

/** Those that change nothing. */
export const READS: ReadonlySet<string> = new Set<OperationName>([
  'stats',
  'byHour',
  'list',
  'keys',
  'body',
  'paused',
  'count',
]);

/** What people and senders were told is done stays done, also when the machine ends. */
export const SYNCED: ReadonlySet<string> = new Set<OperationName>([
  'accept',
  'changeSome',
  'setPaused',
  'makeSomeDue',
]);
