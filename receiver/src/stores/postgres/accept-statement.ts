import { orderKey } from '../../order/order-key.ts';
import { bodyDigest } from '../repetition.ts';
import type { AcceptOutcome, EventContent, IncomingEvent } from '../store.ts';
import { textArray } from './driver.ts';
import type { SqlResult, SqlValue } from './driver.ts';
import { boolean, number } from './rows.ts';

/** An event whose body is copied and digested. */
export interface PreparedEvent {
  readonly id: string;
  readonly body: Uint8Array;
  readonly digest: string;
  readonly timestamp: number;
  readonly content: EventContent;
}

export function prepareEvent({ id, body, timestamp, content }: IncomingEvent): PreparedEvent {
  return { id, body: Buffer.from(body), digest: bodyDigest(body), timestamp, content };
}

/** Returns the name of the job that an event belongs to. */
function jobOf({ id, content }: Pick<PreparedEvent, 'id' | 'content'>): string {
  return content.kind === 'run' ? `run:${content.runId}` : `event:${id}`;
}

export const ACCEPT_COLUMNS = ['n', 'is_same'] as const;

/** Calls `accept_events` with the values of `acceptValues`. It returns the events that were known. */
export function acceptStatement(schema: string): string {
  return `SELECT n, is_same FROM ${schema}.accept_events(
    ($1::text)::text[], ($2::text)::text[], ($3::text)::text[], ($4::text)::text[], ($5::text)::text[],
    ($6::text)::text[], ($7::text)::text[], ($8::text)::text[], ($9::text)::text[], ($10::text)::text[], $11::bytea, ($12::text)::int[],
    ($13::text)::int[], ($14::text)::float8)`;
}

/** Returns the values of the statement: texts as arrays, bytes as one long value with offsets. */
export function acceptValues(events: readonly PreparedEvent[]): SqlValue[] {
  const edges = events.map(({ content }) => (content.kind === 'run' ? content.edge : null));
  let end = 0;
  const starts = events.map(({ body }) => (end += body.length) - body.length);
  return [
    textArray(events.map(({ id }) => id)),
    textArray(events.map(jobOf)),
    textArray(events.map(({ content }) => (content.kind === 'run' ? content.runId : null))),
    textArray(edges.map((edge) => edge?.previousStatus ?? null)),
    textArray(edges.map((edge) => edge?.currentStatus ?? null)),
    textArray(edges.map((edge) => edge?.createdAt ?? null)),
    textArray(edges.map((edge) => edge && orderKey(edge))),
    textArray(events.map(({ content }) => (content.kind === 'run' ? content.automationId : null))),
    textArray(events.map(({ content }) => (content.kind === 'invalid' ? content.error : null))),
    textArray(events.map(({ digest }) => digest)),
    Buffer.concat(events.map(({ body }) => body)),
    textArray(starts),
    textArray(events.map(({ body }) => body.length)),
    String(Math.max(...events.map(({ timestamp }) => timestamp))),
  ];
}

/** Returns the outcome of each event of a batch. */
export function acceptOutcomes(count: number, { rows }: SqlResult): AcceptOutcome[] {
  const outcomes = Array.from({ length: count }, (): AcceptOutcome => 'new');
  for (const row of rows) {
    outcomes[number(row, 'n') - 1] = boolean(row, 'is_same') ? 'duplicate' : 'conflict';
  }
  return outcomes;
}
