import { nextTurn } from '../clock.ts';
import type { AcceptOutcome } from './store.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/** The server works on one batch while the next is prepared. */
const MAX_BATCHES = 2;

/** An event whose caller waits for the outcome. */
export interface Waiting<Event> {
  readonly event: Event;
  readonly resolve: (outcome: AcceptOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Sends the events of simultaneous callers in few batches, so that they share the costs of each. */
export class AcceptBatches<Event extends { readonly body: Uint8Array }> {
  readonly #maxEvents: number;
  readonly #send: (batch: readonly Waiting<Event>[]) => Promise<void>;
  #waiting: Waiting<Event>[] = [];
  #batches = 0;
  #isScheduled = false;

  /** @param send - sends a batch, and resolves or rejects each of its events; it never rejects itself */
  constructor(maxEvents: number, send: (batch: readonly Waiting<Event>[]) => Promise<void>) {
    this.#maxEvents = maxEvents;
    this.#send = send;
  }

  /** Resolves once the event is durable. Its body must belong to the store. */
  accept(event: Event): Promise<AcceptOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event, resolve, reject });
      this.#schedule();
    });
  }

  /** Waits for the end of this turn, so that everything that arrives in it is in one batch. */
  #schedule(): void {
    if (this.#isScheduled || this.#batches === MAX_BATCHES || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    void nextTurn().then(() => {
      this.#isScheduled = false;
      this.#batches += 1;
      void this.#send(this.#nextBatch()).finally(() => {
        this.#batches -= 1;
        this.#schedule();
      });
      this.#schedule();
    });
  }

  #nextBatch(): readonly Waiting<Event>[] {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ event }, index) => {
      bytes += event.body.length;
      return index > 0 && (index === this.#maxEvents || bytes > MAX_BYTES);
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }
}
