import type { Clock } from '../clock.ts';
import { ACCEPT_CHANNEL, traced } from '../diagnostics.ts';
import type { AcceptTrace } from '../diagnostics.ts';
import { StoreError } from '../stores/store-error.ts';
import type { AcceptOutcome, IncomingEvent } from '../stores/store.ts';
import { Deadlines } from './deadlines.ts';
import type { Deadline } from './deadlines.ts';
import type { Sink } from './ingress-options.ts';

type Outcome = AcceptOutcome | void;

/** Senders time out after ten seconds or more, so the response must be earlier. */
const MAX_PUT_MILLISECONDS = 8_000;

/** A sink with a deadline. */
export class BoundedSink {
  readonly #sink: Sink;
  readonly #deadlines: Deadlines<Deadline>;

  constructor(sink: Sink, clock: Clock) {
    this.#sink = sink;
    this.#deadlines = new Deadlines(clock, MAX_PUT_MILLISECONDS);
  }

  /** Rejects as the sink does, and with `store_unavailable` when the sink takes too long. */
  put(event: IncomingEvent): Promise<Outcome> {
    return ACCEPT_CHANNEL.hasSubscribers ? this.#traced(event) : this.#put(event);
  }

  /** Stops the timer. Call it when nothing is being put. */
  close(): void {
    this.#deadlines.close();
  }

  #traced(event: IncomingEvent): Promise<Outcome> {
    const about: AcceptTrace = { eventId: event.id, kind: event.content.kind, outcome: null };
    return traced(ACCEPT_CHANNEL, about, async (trace) => {
      const outcome = await this.#put(event);
      trace.outcome = outcome ?? 'new';
      return outcome;
    });
  }

  #put(event: IncomingEvent): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const put = Promise.resolve(this.#sink.put(event));
      const deadline = { at: this.#deadlines.next(), expire: () => reject(sinkTooSlow()) };
      this.#deadlines.add(deadline);
      put.then(
        (outcome) => {
          this.#deadlines.delete(deadline);
          resolve(outcome);
        },
        (error: unknown) => {
          this.#deadlines.delete(deadline);
          reject(error);
        },
      );
    });
  }
}

/** If the store keeps the event later, the next attempt is a duplicate. */
function sinkTooSlow(): StoreError {
  const message = `Store must accept an event within ${MAX_PUT_MILLISECONDS} ms, got no result.`;
  return new StoreError('store_unavailable', message);
}
