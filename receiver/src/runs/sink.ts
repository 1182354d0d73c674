import type { AcceptOutcome } from '../stores/store.ts';
import type { IncomingEvent } from './event-content.ts';

/** Takes verified events: a store, or a queue of yours. */
export interface Sink {
  /**
   * Keeps an event durably, and then resolves: the sender then gets 2xx and never sends the event
   * again. When it rejects, or takes longer than 8 seconds, the sender gets 503 and retries. The
   * body may be reused after the promise is settled, so copy it. Without an outcome the event
   * counts as new.
   */
  put(event: IncomingEvent): Promise<AcceptOutcome | void>;
}
