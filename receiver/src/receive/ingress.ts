import { RECEIVE_CHANNEL, traced } from '../diagnostics.ts';
import type { ReceiveTrace } from '../diagnostics.ts';
import { describeThrown, idConflict, keptAsDeadLetter } from '../problems.ts';
import type { IncomingEvent } from '../stores/store.ts';
import { WebhookVerificationError } from '../verify/errors.ts';
import { SecretsUnavailableError } from '../verify/secrets-cache.ts';
import type { CheckedHeaders, HeaderSource } from '../verify/headers.ts';
import { BoundedSink } from './bounded-sink.ts';
import { decodeContent } from '../event-content.ts';
import { ingressSettings } from './ingress-options.ts';
import type { IngressOptions, IngressSettings } from './ingress-options.ts';
import { BodyReader } from './read-body.ts';
import { RefusalAlarm } from './refusal-alarm.ts';
import { BodyFailure } from './request-body.ts';
import type { RequestBody } from './request-body.ts';
import { readBodyHeaders } from './request-headers.ts';
import { isRefusal, responseFor } from './responses.ts';
import type { ReceiverResponse, ResponseCode } from './responses.ts';

/** One HTTP request. */
export interface ReceiveRequest {
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** All headers. The content type is taken from them too. */
  readonly headers: HeaderSource;
  /** The body as bytes or as a stream that nothing has read. */
  readonly body: RequestBody;
}

/** Verifies deliveries and passes their events to a sink. */
export interface Ingress {
  /** Responds to one request and never rejects. After a 2xx the sink has the event. */
  readonly receive: (request: ReceiveRequest) => Promise<ReceiverResponse>;
  /** Reports a delivery that came to `path` instead of `expected`, and got 404. Adapters call it. */
  readonly misdirected: (path: string, expected: string) => void;
  /** Responds with 503 from now on, and resolves when the current requests have their responses. */
  readonly close: () => Promise<void>;
}

/** What an adapter needs of a receiver or an ingress. */
export type Receiving = Pick<Ingress, 'receive'> & Partial<Pick<Ingress, 'misdirected'>>;

const JSON_TYPE = /^application\/json[\t ]*(?:;|$)/i;

/**
 * Creates the first half of a receiver: it verifies deliveries, and passes their events to a queue or a
 * store of yours. An adapter takes it in place of a receiver. `createProcessor` is the second half.
 *
 * Requirements: `receiver.valid.acknowledged`, `receiver.answers-quickly`, `signature.raw-bytes`,
 * `signature.parse-after-verify`, `signature.secret.replacement`.
 *
 * @throws {TypeError} When an option is invalid; the message names the option.
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { createIngress } from '@hookproof/receiver';
 * import type { IncomingEvent } from '@hookproof/receiver';
 * import { nodeHandler } from '@hookproof/receiver/node';
 * import { createVerifier } from '@hookproof/receiver/verify';
 *
 * export function listen(queue: { add(event: IncomingEvent): Promise<void> }): void {
 *   const ingress = createIngress({
 *     verifier: createVerifier({ secrets: process.env['WEBHOOK_SECRET'] ?? '' }),
 *     sink: { put: (event) => queue.add(event) },
 *     onError: ({ code, message }) => console.error(code, message),
 *   });
 *   createServer(nodeHandler(ingress)).listen(3000);
 * }
 * ```
 */
export function createIngress(options: IngressOptions): Ingress {
  const ingress = new VerifyingIngress(ingressSettings(options));
  ingress.open();
  return ingress;
}

const NO_BYTES = new Uint8Array(0);

/** What became of a request. */
interface Received {
  readonly code: ResponseCode;
  readonly eventId: string | null;
  readonly secretIndex: number | null;
}

/** Its operations are own properties, so that each can be passed on without its ingress. */
export class VerifyingIngress implements Ingress {
  readonly #settings: IngressSettings;
  readonly #bodies: BodyReader;
  readonly #sink: BoundedSink;
  readonly #alarm: RefusalAlarm;
  #requestsInFlight = 0;
  #state: 'not_started' | 'open' | 'closing' = 'not_started';
  #onLastRequest: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  constructor(settings: IngressSettings) {
    const { clock, report } = settings;
    this.#settings = settings;
    this.#bodies = new BodyReader(settings, clock, () => this.#reportOverload());
    this.#sink = new BoundedSink(settings.sink, clock);
    this.#alarm = new RefusalAlarm(report);
  }

  /** Accepts deliveries from now on; before, they get 503. */
  open(): void {
    if (this.#state === 'not_started') this.#state = 'open';
  }

  readonly receive = (request: ReceiveRequest): Promise<ReceiverResponse> =>
    RECEIVE_CHANNEL.hasSubscribers
      ? traced(RECEIVE_CHANNEL, newTrace(), (trace) => this.#respond(request, trace))
      : this.#respond(request, null);

  readonly misdirected = (path: string, expected: string): void => {
    const message =
      `A delivery came to ${shown(path)} and got 404, which is final: the sender does not send it again. ` +
      `This adapter has the path ${shown(expected)}. Set the URL of the endpoint or the option path.`;
    this.#settings.report({ code: 'path_unexpected', message, eventId: null, runId: null });
  };

  readonly close = (): Promise<void> => {
    this.#closed ??= this.#close();
    return this.#closed;
  };

  async #close(): Promise<void> {
    this.#state = 'closing';
    if (this.#requestsInFlight > 0) {
      await new Promise<void>((resolve) => {
        this.#onLastRequest = resolve;
      });
    }
    this.#bodies.close();
    this.#sink.close();
  }

  async #respond(request: ReceiveRequest, trace: ReceiveTrace | null): Promise<ReceiverResponse> {
    const { clock, reportResponse } = this.#settings;
    const startedAt = clock.monotonic();
    this.#requestsInFlight += 1;
    let received: Received;
    try {
      received = await this.#received(request, startedAt);
    } catch (cause) {
      received = this.#failed(cause);
    }
    this.#requestsInFlight -= 1;
    if (this.#requestsInFlight === 0) this.#onLastRequest?.();
    const response = responseFor(received.code);
    const { status } = response;
    if (trace !== null) Object.assign(trace, received, { status });
    if (reportResponse !== undefined) {
      const { code, eventId, secretIndex } = received;
      const durationMilliseconds = clock.monotonic() - startedAt;
      // Not with a spread, which takes longer than everything else here.
      reportResponse({ code, status, eventId, secretIndex, durationMilliseconds });
    }
    return response;
  }

  /** The first step that fails decides the response. The headers are judged before the body is read. */
  async #received(request: ReceiveRequest, now: number): Promise<Received> {
    const { headers, body } = request;
    if (this.#state === 'not_started') this.#reportNotStarted();
    if (this.#state !== 'open') return this.#refuseUnread(body, this.#state);
    if (request.method !== 'POST') return this.#refuseUnread(body, 'method_not_allowed');
    const { contentType, contentLength } = readBodyHeaders(headers);
    if (!JSON_TYPE.test(contentType ?? '')) {
      return this.#refuseUnread(body, 'content_type_unsupported');
    }
    const { verifier } = this.#settings;
    let checked: CheckedHeaders;
    try {
      checked = verifier.checkHeaders(headers);
    } catch (error) {
      this.#explain(error, headers, NO_BYTES);
      return this.#refuseUnread(body, this.#refusalCode(error, now));
    }

    const reading = this.#bodies.read(body, contentLength, now);
    const buffered = reading instanceof Promise ? await reading : reading;
    if (buffered instanceof BodyFailure) return this.#refuseBody(buffered);
    const { bytes } = buffered;
    try {
      const verified = verifier.verifySignature(checked, bytes);
      const { id, timestamp, secretIndex } =
        verified instanceof Promise ? await verified : verified;
      this.#alarm.accept(now);
      const { content, error } = decodeContent(bytes, id);
      const outcome = await this.#put({ id, body: bytes, timestamp, content });
      if (error !== null && outcome === 'accepted') {
        this.#settings.report(keptAsDeadLetter(id, error));
      }
      return { code: outcome, eventId: id, secretIndex };
    } catch (error) {
      if (error instanceof SecretsUnavailableError) return this.#withoutSecrets(error);
      this.#explain(error, headers, bytes);
      return refused(this.#refusalCode(error, now));
    } finally {
      this.#bodies.release(buffered);
    }
  }

  async #put(event: IncomingEvent): Promise<ResponseCode> {
    const { id: eventId, content } = event;
    const runId = content.kind === 'run' ? content.runId : null;
    try {
      const outcome = await this.#sink.put(event);
      if (outcome === 'duplicate') return 'duplicate';
      if (outcome !== 'conflict') return 'accepted';
    } catch (cause) {
      const message = `The store did not accept the event; the sender retries. ${describeThrown(cause)}`;
      this.#settings.report({ code: 'store_unavailable', message, eventId, runId, cause });
      return 'store_unavailable';
    }
    this.#settings.report(idConflict(eventId, runId));
    return 'event_id_conflict';
  }

  /** Returns the code of a refusal, and counts it for the alarms. */
  #refusalCode(error: unknown, now: number): ResponseCode {
    if (!(error instanceof WebhookVerificationError) || !isRefusal(error.code)) throw error;
    const { clock, rotationUntil } = this.#settings;
    if (error.code === 'signature_mismatch' && clock.now() < rotationUntil) {
      return 'secret_rotating';
    }
    const isAuthentic = error.stage === 'freshness';
    const alarm = isAuthentic ? 'deliveries_outside_tolerance' : 'deliveries_refused';
    this.#alarm.refuse(now, alarm, error.message);
    return error.code;
  }

  /** Reports why a delivery was refused, after its response. */
  #explain(error: unknown, headers: HeaderSource, bytes: Uint8Array): void {
    const { explain, report } = this.#settings;
    if (explain === undefined || !(error instanceof WebhookVerificationError)) return;
    // A copy, because the buffer may be used again by then.
    explain({ headers, rawBody: new Uint8Array(bytes) }).then(
      (message) => report({ code: 'delivery_explained', message, eventId: null, runId: null }),
      (cause: unknown) => {
        const message = `A refused delivery could not be explained. ${describeThrown(cause)}`;
        report({ code: 'receiver_failed', message, eventId: null, runId: null, cause });
      },
    );
  }

  #withoutSecrets(cause: SecretsUnavailableError): Received {
    const message = `A delivery could not be verified; the sender retries. ${cause.message}`;
    const { report } = this.#settings;
    report({ code: 'secrets_unavailable', message, eventId: null, runId: null, cause });
    return refused('secrets_unavailable');
  }

  #refuseUnread(body: RequestBody, code: ResponseCode): Received {
    this.#bodies.discard(body);
    return refused(code);
  }

  #refuseBody({ code, message }: BodyFailure): Received {
    if (code === 'body_already_read' || code === 'body_not_bytes') {
      this.#settings.report({ code, message, eventId: null, runId: null });
    }
    return refused(code);
  }

  #failed(cause: unknown): Received {
    const message = `A request failed unexpectedly; the sender got 500. ${describeThrown(cause)}`;
    this.#settings.report({ code: 'receiver_failed', message, eventId: null, runId: null, cause });
    return refused('receiver_failed');
  }

  #reportNotStarted(): void {
    const message =
      'start() must resolve before deliveries arrive, got one. It got 503, and its sender retries for a ' +
      'while. Call `await receiver.start()` before the server listens.';
    this.#settings.report({ code: 'not_started', message, eventId: null, runId: null });
  }

  #reportOverload(): void {
    const message =
      `Bodies must fit into maxBufferedBytes (${this.#settings.maxBufferedBytes}), got more. The ` +
      'oldest unfinished one got 503, and its sender retries. Unknown senders can cause this: limit ' +
      'them in front of the app. If the deliveries are authentic, raise maxBufferedBytes.';
    this.#settings.report({ code: 'overloaded', message, eventId: null, runId: null });
  }
}

/** Quotes a path that anybody may have sent, without its query. */
function shown(path: string): string {
  return JSON.stringify(path.split('?')[0]?.slice(0, 200));
}

function newTrace(): ReceiveTrace {
  return { code: null, status: null, secretIndex: null, eventId: null };
}

function refused(code: ResponseCode): Received {
  return { code, eventId: null, secretIndex: null };
}
