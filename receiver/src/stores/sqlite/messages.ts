import type { Part } from '../in-parts.ts';
import type {
  AcceptOutcome,
  DeadLetterFilter,
  DeadLetterPage,
  EventArrival,
  Finished,
  IncomingEvent,
  KnownEvent,
  Lease,
  LeasedJob,
  Next,
  OpenEventPage,
  Outcome,
  ReplayFilter,
  RunPage,
  StoredEvent,
  StoreStats,
  TakeRequest,
  JobEvents,
} from '../store.ts';
import type { Failure } from './failures.ts';
import type { Moment } from './moment.ts';

/** What the thread can do: arguments and result by name. */
export interface Signatures {
  accept: [args: [event: IncomingEvent], result: AcceptOutcome];
  take: [args: [request: TakeRequest], result: readonly LeasedJob[]];
  bodies: [args: [lease: Lease, ids: readonly string[]], result: ReadonlyMap<string, Uint8Array>];
  news: [args: [lease: Lease, afterPosition: number], result: JobEvents | null];
  renew: [args: [lease: Lease, leaseFor: number], result: boolean];
  begin: [args: [lease: Lease, id: string], result: boolean];
  waiting: [args: [lease: Lease, afterPlace: string], result: JobEvents | null];
  near: [args: [lease: Lease, place: string, limit: number], result: readonly KnownEvent[] | null];
  keepArrivals: [args: [lease: Lease, arrivals: readonly EventArrival[]], result: boolean];
  finish: [
    args: [lease: Lease, outcomes: readonly Outcome[], next: Next, order: string | null],
    result: Finished,
  ];
  nextDueIn: [args: [request: Pick<TakeRequest, 'holder' | 'inHand'>], result: number | null];
  stats: [args: [], result: StoreStats];
  inspect: [args: [id: string], result: StoredEvent | null];
  history: [args: [runId: string], result: readonly KnownEvent[]];
  openEvents: [
    args: [page: { after: number; limit: number }, runId: string | null],
    result: OpenEventPage,
  ];
  pause: [args: [name: string], result: null];
  resume: [args: [name: string], result: boolean];
  makeSomeDue: [args: [], result: boolean];
  paused: [args: [], result: readonly string[]];
  deadLetters: [
    args: [page: { after: number; limit: number }, filter: DeadLetterFilter],
    result: DeadLetterPage,
  ];
  runs: [
    args: [page: { before: number; limit: number }, automationId: string | null],
    result: RunPage,
  ];
  body: [args: [id: string], result: Uint8Array | null];
  redriveSome: [args: [filter: DeadLetterFilter, after: number], result: Part<number>];
  replaySome: [args: [filter: ReplayFilter, dryRun: boolean, after: number], result: Part<number>];
  discardSome: [args: [filter: DeadLetterFilter, after: number], result: Part<number>];
  countDead: [args: [filter: DeadLetterFilter], result: number];
  purgeSome: [args: [olderThan: number], result: number];
  purgeBodies: [args: [], result: number];
}

export type CommandName = keyof Signatures;

export type Operations = {
  readonly [Name in CommandName]: (at: Moment, ...args: Signatures[Name][0]) => Signatures[Name][1];
};

export type Command<Name extends CommandName = CommandName> = {
  [Each in Name]: { readonly name: Each; readonly args: Signatures[Each][0] };
}[Name];

/** Calls the operation that a command names. */
export function execute<Name extends CommandName>(
  operations: Operations,
  at: Moment,
  command: Command<Name>,
): Signatures[Name][1] {
  return operations[command.name](at, ...command.args);
}

/** What one caller asks for. */
export interface Call {
  readonly number: number;
  readonly command: Command;
}

/** What the app sends. */
export type Request =
  | { readonly do: 'open'; readonly at: Moment }
  | { readonly do: 'calls'; readonly at: Moment; readonly calls: readonly Call[] }
  | { readonly do: 'close' };

/** What one caller gets. */
export type Result = { readonly number: number } & (
  { readonly value: Signatures[CommandName][1] } | { readonly failure: Failure }
);

/** What the thread sends back. */
export type Response =
  | { readonly is: 'opened' }
  | { readonly is: 'done'; readonly results: readonly Result[] }
  /** The file cannot be opened, or was taken away. The thread ends. */
  | { readonly is: 'ended'; readonly failure: Failure };
