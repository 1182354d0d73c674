import { answerFor } from './answers.ts';
import type { Answer } from './answers.ts';
import { describeThrown } from './problems.ts';
import { receiveDelivery } from './receive/receive-delivery.ts';
import type { Received } from './receive/receive-delivery.ts';
import type { ReceiveRequest } from './receive/receive-request.ts';
import { receiverSettings } from './receiver-options.ts';
import type { ReceiverOptions } from './receiver-options.ts';
import type { DeadLetter } from './stores/store.ts';
import { within } from './within.ts';
import { keepRetention } from './worker/retention.ts';
import { createWorker } from './worker/worker.ts';

/** Receives deliveries and has their events handled. */
export interface Receiver {
  /** Opens the store and begins to handle what is in it. Before, every request is answered 503. */
  start(): Promise<void>;
  /** Answers one request. Never rejects. The event is kept when the answer is 2xx, and handled later. */
  receive(request: ReceiveRequest): Promise<Answer>;
  /** Resolves when no event is due and none is being handled; waits for a time do not count. */
  idle(): Promise<void>;
  /** Events that were set aside, oldest first. */
  deadLetters(): Promise<readonly DeadLetter[]>;
  /** Has a dead letter handled again, with all its attempts; false when there is none with this id. */
  redrive(eventId: string): Promise<boolean>;
  /**
   * Answers 503 from now on, waits for what is being received and handled, at most
   * `closeTimeoutMilliseconds`, and closes the store.
   */
  close(): Promise<void>;
}

/**
 * A receiver for one endpoint; adapters put it behind a web server.
 *
 * @throws {TypeError} When an option cannot be right; the message names it.
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  const settings = receiverSettings(options);
  const { store, clock, report } = settings.worker;
  const worker = createWorker(settings.worker);
  const reception = {
    store,
    report,
    verifier: settings.verifier,
    rotationUntil: settings.rotationUntil,
    limits: {
      clock,
      limitBytes: settings.bodyLimitBytes,
      timeoutMilliseconds: settings.bodyTimeoutMilliseconds,
    },
  };
  let state: 'not_started' | 'started' | 'closing' = 'not_started';
  let receiving = 0;
  let endRetention: (() => Promise<void>) | undefined;
  let whenNoneIsReceived: (() => void) | undefined;
  let closed: Promise<void> | undefined;

  const received = async (request: ReceiveRequest): Promise<Received> => {
    if (state !== 'started') return { code: state, eventId: null };
    if (receiving >= settings.maxConcurrentRequests) return { code: 'overloaded', eventId: null };
    receiving += 1;
    try {
      return await receiveDelivery(request, reception);
    } catch (cause) {
      const message = `A request could not be answered: ${describeThrown(cause)}`;
      report({ code: 'receiver_failed', message, eventId: null, runId: null, cause });
      return { code: 'receiver_failed', eventId: null };
    } finally {
      receiving -= 1;
      if (receiving === 0) whenNoneIsReceived?.();
    }
  };
  const close = async (wasStarted: boolean): Promise<void> => {
    if (!wasStarted) return;
    const ended = await within(endWork(), settings.closeTimeoutMilliseconds, clock);
    if (ended === null) {
      const message =
        `close() waited ${settings.closeTimeoutMilliseconds} ms and goes on, with ${worker.abandon()} runs ` +
        'being handled. What is unfinished is handled again when their leases run out.';
      report({ code: 'closed_unfinished', message, eventId: null, runId: null });
    }
    await store.close();
  };
  const endWork = async (): Promise<void> => {
    if (receiving > 0) {
      await new Promise<void>((resolve) => {
        whenNoneIsReceived = resolve;
      });
    }
    await worker.stop();
    await endRetention?.();
  };

  return {
    async start() {
      if (state !== 'not_started') throw new TypeError('start() may be called once');
      await store.open();
      state = 'started';
      endRetention = keepRetention({ ...settings, store, clock, report });
      worker.wake();
    },
    async receive(request) {
      const { code, eventId } = await received(request);
      const answer = answerFor(code);
      settings.reportAnswer({ code, status: answer.status, eventId });
      if (code === 'accepted') worker.wake();
      return answer;
    },
    idle: () => worker.idle(),
    deadLetters: () => store.deadLetters(),
    async redrive(eventId) {
      const isOpen = await store.redrive(eventId, clock.now());
      if (isOpen) worker.wake();
      return isOpen;
    },
    close() {
      closed ??= close(state === 'started');
      state = 'closing';
      return closed;
    },
  };
}
