import { AcceptBatches } from '../accept-batches.ts';
import type { Waiting } from '../accept-batches.ts';
import type { AcceptOutcome, IncomingEvent } from '../store.ts';
import {
  ACCEPT_COLUMNS,
  acceptOutcomes,
  acceptStatement,
  acceptValues,
  prepareEvent,
} from './accept-statement.ts';
import type { PreparedEvent } from './accept-statement.ts';
import type { Query } from './driver.ts';
import { isAboutStatement, sqlState, unavailable } from './failures.ts';

const MAX_EVENTS = 512;

const UNIQUE_VIOLATION = '23505';
const MAX_TRIES = 10;

/**
 * Returns a function that accepts an event. The body is copied before it returns. Each batch has a connection of its
 * own.
 */
export function acceptingEvents(
  query: Query,
  schema: string,
): (event: IncomingEvent) => Promise<AcceptOutcome> {
  const statement = acceptStatement(schema);

  const write = async (events: readonly PreparedEvent[]): Promise<AcceptOutcome[]> => {
    for (let tries = 1; ; tries += 1) {
      try {
        const result = await query(statement, acceptValues(events), ACCEPT_COLUMNS);
        return acceptOutcomes(events.length, result);
      } catch (error) {
        if (tries === MAX_TRIES || sqlState(error) !== UNIQUE_VIOLATION) throw error;
      }
    }
  };

  const send = async (batch: readonly Waiting<PreparedEvent>[]): Promise<void> => {
    const { firsts, others } = byId(batch);
    try {
      const outcomes = await write(firsts.map(({ event }) => event));
      for (const [index, { resolve }] of firsts.entries()) resolve(outcomes[index] ?? 'conflict');
    } catch (error) {
      // One event may be at fault, for example because its run is locked. The others are accepted.
      if (firsts.length > 1 && isAboutStatement(error)) {
        for (const one of batch) await send([one]);
      } else {
        for (const { reject } of batch) reject(unavailable(error));
      }
      return;
    }
    if (others.length > 0) await send(others);
  };

  const batches = new AcceptBatches<PreparedEvent>(MAX_EVENTS, send);
  return (event) => batches.accept(prepareEvent(event));
}

/** Separates repetitions within a batch. They are compared with the first one once that is stored. */
function byId(batch: readonly Waiting<PreparedEvent>[]): {
  firsts: Waiting<PreparedEvent>[];
  others: Waiting<PreparedEvent>[];
} {
  const firsts = new Map<string, Waiting<PreparedEvent>>();
  const others: Waiting<PreparedEvent>[] = [];
  for (const one of batch) {
    if (firsts.has(one.event.id)) others.push(one);
    else firsts.set(one.event.id, one);
  }
  return { firsts: [...firsts.values()], others };
}
