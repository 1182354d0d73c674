import type { AcceptOutcome, IncomingEvent } from '../store.ts';
import { acceptOutcomes, acceptStatement, acceptValues, prepareEvent } from './accept-statement.ts';
import type { PreparedEvent } from './accept-statement.ts';
import type { Query } from './driver.ts';
import { isAboutStatement, sqlState, unavailable } from './failures.ts';

const MAX_EVENTS = 512;
const MAX_BYTES = 4 * 1024 * 1024;

/** Number of batches that are on their way at the same time, each on a connection of its own. */
const MAX_BATCHES = 2;

const UNIQUE_VIOLATION = '23505';
const MAX_TRIES = 10;

interface Waiting {
  readonly event: PreparedEvent;
  readonly resolve: (outcome: AcceptOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Accepts events of many callers in few statements. */
export class AcceptBatches {
  readonly #query: Query;
  readonly #statement: string;
  readonly #onNew: () => void;
  #waiting: Waiting[] = [];
  #batches = 0;
  #isScheduled = false;

  /** `onNew` is called after a batch with new events is durable. */
  constructor(query: Query, schema: string, onNew: () => void) {
    this.#query = query;
    this.#statement = acceptStatement(schema);
    this.#onNew = onNew;
  }

  /** Resolves once the event is durable. The body is copied before the call returns. */
  accept(incoming: IncomingEvent): Promise<AcceptOutcome> {
    const event = prepareEvent(incoming);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#batches === MAX_BATCHES || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#batches += 1;
      void this.#send(this.#nextBatch()).finally(() => {
        this.#batches -= 1;
        this.#schedule();
      });
      this.#schedule();
    });
  }

  #nextBatch(): Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ event }, index) => {
      bytes += event.body.length;
      return index > 0 && (index === MAX_EVENTS || bytes > MAX_BYTES);
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    const { firsts, others } = byId(batch);
    try {
      const outcomes = await this.#write(firsts.map(({ event }) => event));
      if (outcomes.includes('new')) this.#onNew();
      for (const [index, { resolve }] of firsts.entries()) resolve(outcomes[index] ?? 'conflict');
    } catch (error) {
      // One event may be at fault, for example because its run is locked. The others are accepted.
      if (firsts.length > 1 && isAboutStatement(error)) {
        for (const one of batch) await this.#send([one]);
      } else {
        for (const { reject } of batch) reject(unavailable(error));
      }
      return;
    }
    if (others.length > 0) await this.#send(others);
  }

  async #write(events: readonly PreparedEvent[]): Promise<AcceptOutcome[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        const result = await this.#query(this.#statement, acceptValues(events));
        return acceptOutcomes(events.length, result);
      } catch (error) {
        if (tries === MAX_TRIES || sqlState(error) !== UNIQUE_VIOLATION) throw error;
      }
    }
  }
}

/** Separates repetitions within a batch. They are compared with the first one once that is stored. */
function byId(batch: readonly Waiting[]): { firsts: Waiting[]; others: Waiting[] } {
  const firsts = new Map<string, Waiting>();
  const others: Waiting[] = [];
  for (const one of batch) {
    if (firsts.has(one.event.id)) others.push(one);
    else firsts.set(one.event.id, one);
  }
  return { firsts: [...firsts.values()], others };
}
