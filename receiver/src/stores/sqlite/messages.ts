import type { Failure } from './failures.ts';
import type { Moment } from './moment.ts';
import type { OperationName } from './operations.ts';

/** What one caller asks for. */
export interface Call {
  readonly number: number;
  readonly name: OperationName;
  readonly args: readonly unknown[];
}

/** What the app sends. */
export type Request =
  | { readonly do: 'open'; readonly at: Moment }
  | { readonly do: 'calls'; readonly at: Moment; readonly calls: readonly Call[] }
  | { readonly do: 'close' };

/** What one caller gets. */
export type Answer = { readonly number: number } & (
  | { readonly value: unknown }
  | { readonly failure: Failure }
);

/** What the thread sends back. */
export type Response =
  | { readonly is: 'opened' }
  | { readonly is: 'done'; readonly answers: readonly Answer[] }
  /** The file cannot be opened, or was taken away. The thread ends. */
  | { readonly is: 'ended'; readonly failure: Failure };
