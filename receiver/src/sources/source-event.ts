import type { EventContext } from '../worker/event-context.ts';
import type { EventTypes } from './source.ts';

/** An event of a source without runs, as its handlers get it. */
export interface SourceEvent<Data = unknown> {
  /** The name of the source in `sources`. */
  readonly source: string;
  /** The idempotency key, unique within its source. */
  readonly id: string;
  /** The type, which is the name of the handler. */
  readonly type: string;
  /** What it belongs to; `null`: it stands alone. */
  readonly key: string | null;
  /** When it occurred, ISO 8601; `null` when the sender does not say. */
  readonly createdAt: string | null;
  /** The part of the body that is about this event; the page of each source says which. */
  readonly data: Data;
  /** The whole body, parsed. */
  readonly payload: unknown;
}

/** A handler of events of one type. */
export type SourceHandler<Data, Tx = unknown> = (
  event: SourceEvent<Data>,
  context: EventContext<Tx>,
) => unknown;

/**
 * The functions to call for the events of a source, by type. An event calls `event` first, then the
 * handler of its type. An event without either is skipped, and its type is reported once.
 */
export type TypedHandlers<Events extends EventTypes, Tx = unknown> = {
  readonly [Type in keyof Events & string]?: SourceHandler<Events[Type], Tx>;
} & {
  /** Every event of the source. */
  readonly event?: SourceHandler<Events[keyof Events & string], Tx>;
};
