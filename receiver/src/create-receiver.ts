import { within } from './clock.ts';
import type { Clock } from './clock.ts';
import { describeThrown } from './problems.ts';
import type { Problem } from './problems.ts';
import { receiveDelivery } from './receive/receive-delivery.ts';
import type { Received, Reception, ReceiveRequest } from './receive/receive-delivery.ts';
import { responseFor } from './receive/responses.ts';
import type { ReceiverResponse } from './receive/responses.ts';
import { receiverSettings } from './receiver-options.ts';
import type { ReceiverOptions, ReceiverSettings, ResponseReport } from './receiver-options.ts';
import type { DeadLetter, Store } from './stores/store.ts';
import { createVerifier } from './verify/verifier.ts';
import { keepRetention } from './worker/retention.ts';
import { Worker } from './worker/worker.ts';

/** Receives deliveries and calls the handlers for their events. */
export interface Receiver {
  /** Opens the store and starts handling its events. Until then, every request gets 503. */
  start(): Promise<void>;
  /** Responds to one request and never rejects. After a 2xx the event is stored and handled later. */
  receive(request: ReceiveRequest): Promise<ReceiverResponse>;
  /** Resolves when no event is due and none is being handled. Events that are due later do not count. */
  idle(): Promise<void>;
  /** Returns the dead letters, oldest first. */
  deadLetters(): Promise<readonly DeadLetter[]>;
  /** Handles a dead letter again, with all its attempts. Returns false when the id is not a dead letter. */
  redrive(eventId: string): Promise<boolean>;
  /**
   * Responds with 503 from now on, waits for current requests and handlers, at most
   * `closeTimeoutMilliseconds`, and closes the store.
   */
  close(): Promise<void>;
}

/**
 * Creates a receiver for one webhook endpoint. Put it behind a web server with an adapter
 * (`nodeHandler`, `koaMiddleware`), or call `receive()` with the raw request.
 *
 * Requirements: `receiver.valid.acknowledged`, `receiver.answers-quickly`,
 * `receiver.processes-afterwards`, `receiver.duplicate.acknowledged`,
 * `receiver.duplicate.single-effect`, `receiver.order.not-by-arrival`,
 * `receiver.test-event.not-real`, `signature.secret.replacement`.
 *
 * @throws {TypeError} When an option is invalid; the message names the option.
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { createReceiver } from '@hookproof/receiver';
 * import { nodeHandler } from '@hookproof/receiver/node';
 * import { sqliteStore } from '@hookproof/receiver/sqlite';
 *
 * export async function listen(): Promise<void> {
 *   const receiver = createReceiver({
 *     secrets: process.env['WEBHOOK_SECRET'] ?? '',
 *     store: sqliteStore({ file: 'events.db' }),
 *     handlers: { completed: ({ data }) => console.log(data.run.id, data.run.output) },
 *     onError: ({ code, message }) => console.error(code, message),
 *   });
 *   await receiver.start();
 *   createServer(nodeHandler(receiver)).listen(3000);
 * }
 * ```
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  return new StoringReceiver(options, receiverSettings(options));
}

/** Its operations are own properties, so that each can be passed on without its receiver. */
class StoringReceiver implements Receiver {
  readonly #settings: ReceiverSettings;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #reception: Reception;
  readonly #worker: Worker;
  readonly #report: (problem: Problem) => void;
  readonly #reportResponse: (report: ResponseReport) => void;
  #state: 'not_started' | 'started' | 'closing' = 'not_started';
  #requestsInFlight = 0;
  #onLastRequest: (() => void) | undefined;
  #stopRetention: (() => Promise<void>) | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: ReceiverOptions, settings: ReceiverSettings) {
    const { clock, store } = settings;
    const report = safely(options.onError);
    this.#settings = settings;
    this.#store = store;
    this.#clock = clock;
    this.#report = report;
    this.#reportResponse = safely(options.onResponse);
    this.#worker = new Worker({ ...settings.worker, store, clock, report });
    this.#reception = {
      store,
      report,
      limits: { ...settings.bodyLimits, clock },
      rotationUntil: settings.rotationUntil,
      verifier: createVerifier({ ...settings.verifier, now: () => clock.now() }),
    };
  }

  readonly start = async (): Promise<void> => {
    if (this.#state !== 'not_started') {
      throw new TypeError('start() must be called once, got a second call.');
    }
    await this.#store.open();
    this.#state = 'started';
    this.#stopRetention = keepRetention({
      store: this.#store,
      clock: this.#clock,
      report: this.#report,
      retentionMilliseconds: this.#settings.retentionMilliseconds,
    });
    this.#worker.wake();
  };

  readonly receive = async (request: ReceiveRequest): Promise<ReceiverResponse> => {
    const { code, eventId } = await this.#received(request);
    const response = responseFor(code);
    this.#reportResponse({ code, status: response.status, eventId });
    if (code === 'accepted') this.#worker.wake();
    return response;
  };

  readonly idle = (): Promise<void> => this.#worker.idle();

  readonly deadLetters = (): Promise<readonly DeadLetter[]> => this.#store.deadLetters();

  readonly redrive = async (eventId: string): Promise<boolean> => {
    const isOpen = await this.#store.redrive(eventId, this.#clock.now());
    if (isOpen) this.#worker.wake();
    return isOpen;
  };

  readonly close = (): Promise<void> => {
    this.#closed ??= this.#state === 'started' ? this.#closeStarted() : Promise.resolve();
    this.#state = 'closing';
    return this.#closed;
  };

  async #received(request: ReceiveRequest): Promise<Received> {
    if (this.#state !== 'started') return { code: this.#state, eventId: null };
    if (this.#requestsInFlight >= this.#settings.maxConcurrentRequests) {
      return { code: 'overloaded', eventId: null };
    }
    this.#requestsInFlight += 1;
    try {
      return await receiveDelivery(request, this.#reception);
    } catch (cause) {
      const message = `A request failed unexpectedly; the sender got 500. ${describeThrown(cause)}`;
      this.#report({ code: 'receiver_failed', message, eventId: null, runId: null, cause });
      return { code: 'receiver_failed', eventId: null };
    } finally {
      this.#requestsInFlight -= 1;
      if (this.#requestsInFlight === 0) this.#onLastRequest?.();
    }
  }

  async #closeStarted(): Promise<void> {
    const { closeTimeoutMilliseconds } = this.#settings;
    const finished = await within(this.#finishWork(), closeTimeoutMilliseconds, this.#clock);
    if (finished === null) {
      const message =
        `close() must finish within ${closeTimeoutMilliseconds} ms, but runs are still being ` +
        `handled: ${this.#worker.abandon()}. Their unfinished events are handled again when the leases expire.`;
      this.#report({ code: 'closed_unfinished', message, eventId: null, runId: null });
    }
    await this.#store.close();
  }

  async #finishWork(): Promise<void> {
    if (this.#requestsInFlight > 0) {
      await new Promise<void>((resolve) => {
        this.#onLastRequest = resolve;
      });
    }
    await this.#worker.stop();
    await this.#stopRetention?.();
  }
}

/** Calls a callback of the user, whose exceptions must not stop the receiver. */
function safely<Value>(callback: ((value: Value) => void) | undefined): (value: Value) => void {
  return (value) => {
    try {
      callback?.(value);
    } catch {
      // There is no further callback that could report it.
    }
  };
}
