import { within } from '../clock.ts';
import { RECEIVE_CHANNEL, traced } from '../diagnostics.ts';
import type { ReceiveTrace } from '../diagnostics.ts';
import { describeThrown } from '../thrown.ts';
import { StoreError } from '../stores/store-error.ts';
import { WebhookVerificationError } from '../verify/errors.ts';
import { headerFinder } from '../verify/find-headers.ts';
import type { FoundHeaders, HeaderSource } from '../verify/find-headers.ts';
import { SecretsUnavailableError } from '../verify/secrets.ts';
import type { IngressSettings, VerifiedId } from './ingress-settings.ts';
import { BodyReader } from './read-body.ts';
import { BodyFailure } from './request-body.ts';
import type { RequestBody } from './request-body.ts';
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

/** Reports a delivery that came to a path instead of the expected one, and got 404. */
export const MISDIRECTED: unique symbol = Symbol.for('@hookproof/receiver misdirected');

/** Verifies deliveries and passes their events to a sink. */
export interface Ingress {
  /** Responds to one request and never rejects. After a 2xx the sink has the event. */
  readonly receive: (request: ReceiveRequest) => Promise<ReceiverResponse>;
  /** For the adapters of this package. */
  readonly [MISDIRECTED]: (path: string, expected: string) => void;
  /** The headers that make a request a delivery, in lower case. Adapters report a 404 to one. */
  readonly signatureHeaders: readonly string[];
  /** Responds with 503 from now on, and resolves when the current requests have their responses. */
  readonly close: () => Promise<void>;
}

/** What an adapter needs of a receiver or an ingress. */
export type Receiving = Pick<Ingress, 'receive'> &
  Partial<Pick<Ingress, typeof MISDIRECTED | 'signatureHeaders'>>;

const JSON_TYPE = /^application\/json[\t ]*(?:;|$)/i;
const NO_BYTES = new Uint8Array(0);
const NO_HEADERS: Headers = {};

/** Senders time out after ten seconds or more, so the response must be earlier. */
const MAX_PUT_MILLISECONDS = 8_000;
const MAX_SECRETS_MILLISECONDS = 3_000;

type Headers = FoundHeaders<string>;

/** What became of a request. */
interface Received {
  readonly code: ResponseCode;
  readonly eventId: string | null;
  readonly secretIndex: number | null;
}

/** Its operations are own properties, so that each can be passed on without its ingress. */
export class VerifyingIngress<Checked, Verified extends VerifiedId> implements Omit<
  Ingress,
  typeof MISDIRECTED
> {
  readonly signatureHeaders: readonly string[];
  readonly #settings: IngressSettings<Checked, Verified>;
  readonly #find: (source: unknown) => Headers;
  readonly #bodies: BodyReader;
  #requestsInFlight = 0;
  #refused = 0;
  #state: 'not_started' | 'open' | 'closing' = 'not_started';
  #onLastRequest: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  constructor(settings: IngressSettings<Checked, Verified>) {
    this.#settings = settings;
    this.signatureHeaders = settings.source.headers;
    const names = new Set([...settings.source.headers, ...settings.others.keys()]);
    this.#find = headerFinder('content-type', 'content-length', ...names);
    this.#bodies = new BodyReader(settings, settings.clock, () => this.#reportOverload());
  }

  /** How many deliveries got a final refusal. */
  get refused(): number {
    return this.#refused;
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
    this.#count(404);
    const message =
      `A delivery came to ${shown(withoutQuery(path))} and got 404. ${this.#fate(404)} ` +
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
  }

  async #respond(request: ReceiveRequest, trace: ReceiveTrace | null): Promise<ReceiverResponse> {
    this.#requestsInFlight += 1;
    let received: Received;
    try {
      received = await this.#received(request);
    } catch (cause) {
      received = this.#failed(cause);
    }
    this.#requestsInFlight -= 1;
    if (this.#requestsInFlight === 0) this.#onLastRequest?.();
    const response = responseFor(received.code);
    if (trace !== null) Object.assign(trace, received, { status: response.status });
    return response;
  }

  /**
   * The first step that fails decides the response. The headers are judged before the body is read.
   */
  async #received(request: ReceiveRequest): Promise<Received> {
    const { method, headers, body } = request;
    if (this.#state === 'not_started') {
      this.#reportNotStarted();
      return this.#refuseUnread(body, 'not_started');
    }
    const isUnexpected = body instanceof BodyFailure && body.code === 'request_unexpected';
    const found = isUnexpected ? NO_HEADERS : this.#find(headers);
    if (this.#state === 'closing') return this.#refuseClosing(body, found);
    if (isUnexpected) return this.#refuseBody(body, found);
    if (method !== 'POST') {
      this.#discard(body);
      return this.#refuse(
        'method_not_allowed',
        found,
        `Method must be POST, got ${/^[A-Z]{1,20}$/.test(method) ? method : 'another'}.`,
      );
    }
    const { 'content-type': [contentType = ''] = [] } = found;
    if (!JSON_TYPE.test(contentType)) {
      this.#discard(body);
      const { jsonSetting } = this.#settings.source;
      const message = `Content type must be application/json, got ${mediaType(contentType)}. ${jsonSetting}`;
      return this.#refuse('content_type_unsupported', found, message.trim());
    }
    const { source, bodyLimitBytes } = this.#settings;
    let checked: Checked;
    try {
      checked = source.checkHeaders(found);
    } catch (error) {
      this.#explain(error, headers, NO_BYTES);
      this.#discard(body);
      return this.#refuseUnverified(error, found);
    }

    const { 'content-length': [contentLength] = [] } = found;
    const reading = this.#bodies.read(body, Number(contentLength ?? 0) || 0);
    const buffered = reading instanceof Promise ? await reading : reading;
    if (buffered instanceof BodyFailure) {
      if (buffered.code !== 'body_too_large') return this.#refuseBody(buffered, found);
      const message = `Body must have at most ${bodyLimitBytes} bytes, got more. Raise bodyLimitBytes.`;
      return this.#refuse('body_too_large', found, message);
    }
    const { bytes } = buffered;
    const release = (): void => this.#bodies.release(buffered);
    try {
      const verifying = source.verifySignature(checked, bytes);
      const verified = verifying instanceof Promise ? await this.#inTime(verifying) : verifying;
      const { id, secretIndex } = verified;
      const code = await this.#put(verified, bytes, release);
      return { code, eventId: id, secretIndex };
    } catch (error) {
      release();
      if (error instanceof SecretsUnavailableError) return this.#withoutSecrets(error);
      this.#explain(error, headers, bytes);
      return this.#refuseUnverified(error, found);
    }
  }

  /** A function `secrets` or a source that never returns must not hold a request. */
  async #inTime<Value>(verifying: Promise<Value>): Promise<Value> {
    const inTime = await within(verifying, MAX_SECRETS_MILLISECONDS, this.#settings.clock);
    if (inTime !== null) return inTime.value;
    throw new SecretsUnavailableError(
      `secrets, or verify() of a source, must return within ${MAX_SECRETS_MILLISECONDS} ms, got no result.`,
    );
  }

  /** Keeps a delivery, and calls `release` when nothing holds its body any more. */
  async #put(verified: Verified, bytes: Uint8Array, release: () => void): Promise<ResponseCode> {
    const { source, clock, report } = this.#settings;
    const putting = source.keep(verified, bytes);
    putting.then(release, release);
    try {
      const inTime = await within(putting, MAX_PUT_MILLISECONDS, clock);
      if (inTime === null) throw sinkTooSlow();
      if (inTime.value !== 'conflict') return inTime.value === 'new' ? 'accepted' : 'duplicate';
    } catch (cause) {
      this.#count(503);
      const message = `The store did not accept the event; ${this.#retry()}. ${describeThrown(cause)}`;
      report({ code: 'store_unavailable', message, eventId: verified.id, runId: null, cause });
      return 'store_unavailable';
    }
    this.#count(409);
    return 'event_id_conflict';
  }

  /** Refuses what verification does not accept. */
  #refuseUnverified(error: unknown, found: Headers): Received {
    if (!(error instanceof WebhookVerificationError) || !isRefusal(error.code)) throw error;
    const { clock, rotationUntil, report } = this.#settings;
    if (error.stage === 'freshness') {
      this.#count(425);
      const message =
        `An authentic delivery got 425, and ${this.#retry('its sender', 425)}. ${error.message} Set the clock of ` +
        'this machine; if it is right, report it to the sender.';
      report({ code: 'deliveries_outside_tolerance', message, eventId: null, runId: null });
      return refused(error.code);
    }
    if (error.code === 'signature_mismatch' && clock.now() < rotationUntil) {
      return refused('secret_rotating');
    }
    return this.#refuse(error.code, found, error.message);
  }

  /**
   * Refuses a request for good. That is reported when it has at least one header of a source, so
   * that no delivery is lost silently; anybody can send a request without them.
   */
  #refuse(code: ResponseCode, found: Headers, reason: string): Received {
    const has = (name: string): boolean => (found[name]?.length ?? 0) > 0;
    const { others, report } = this.#settings;
    const [header, owners = []] = [...others].find(([name]) => has(name)) ?? [];
    const isOurs = this.signatureHeaders.some(has);
    if (!isOurs && owners.length === 0) return refused(code);
    const { status } = responseFor(code);
    this.#count(status);
    const message = isOurs
      ? `A delivery got ${status} (${code}). ${this.#fate(status)} ${reason}`
      : `A delivery got ${status} (${code}): it has ${header}, a header of the source ` +
        `${owners.join(' or ')}. Set the URL at its sender to the path of that source.`;
    report({ code: 'deliveries_refused', message, eventId: null, runId: null }, code);
    return refused(code);
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
    this.#count(503);
    const message = `A delivery could not be verified; ${this.#retry()}. ${cause.message}`;
    const { report } = this.#settings;
    report({ code: 'secrets_unavailable', message, eventId: null, runId: null, cause });
    return refused('secrets_unavailable');
  }

  #refuseUnread(body: RequestBody, code: ResponseCode): Received {
    this.#count(503);
    this.#discard(body);
    return refused(code);
  }

  /** A sender that sends nothing again has lost what comes between two processes. */
  #refuseClosing(body: RequestBody, found: Headers): Received {
    if (!this.#isFinal(503)) return this.#refuseUnread(body, 'closing');
    this.#discard(body);
    return this.#refuse('closing', found, 'The receiver was closing.');
  }

  #discard(body: RequestBody): void {
    this.#bodies.discard(body);
  }

  #refuseBody({ code, message }: BodyFailure, found: Headers): Received {
    const { status } = responseFor(code);
    if (this.#isFinal(status) && (code === 'body_stalled' || code === 'body_aborted')) {
      return this.#refuse(code, found, 'Its body did not arrive whole.');
    }
    this.#count(status);
    if (
      code === 'body_already_read' ||
      code === 'body_not_bytes' ||
      code === 'request_unexpected'
    ) {
      const text = `${message}${this.#finalFate(status)}`;
      this.#settings.report({ code, message: text, eventId: null, runId: null });
    }
    return refused(code);
  }

  #failed(cause: unknown): Received {
    this.#count(500);
    const message = `A request failed unexpectedly; the sender got 500.${this.#finalFate(500)} ${describeThrown(cause)}`;
    this.#settings.report({ code: 'receiver_failed', message, eventId: null, runId: null, cause });
    return refused('receiver_failed');
  }

  /** Counts a response after which the sender does not send the delivery again. */
  #count(status: number): void {
    if (this.#isFinal(status)) this.#refused += 1;
  }

  #isFinal(status: number): boolean {
    return !this.#settings.source.retries(status);
  }

  /** Says what becomes of a delivery after a response. */
  #fate(status: number): string {
    const { sender, retries } = this.#settings.source;
    return retries(status)
      ? `${sender} sends it again.`
      : `That is final: ${sender} does not send it again.`;
  }

  /** Adds to a message what becomes of a delivery that is lost. */
  #finalFate(status: number): string {
    return this.#isFinal(status) ? ` ${this.#fate(status)}` : '';
  }

  /** Says what becomes of a delivery that a retry could save. */
  #retry(subject: string = this.#settings.source.sender, status = 503): string {
    const { sender, retries } = this.#settings.source;
    return retries(status)
      ? `${subject} retries`
      : `it is lost, because ${sender} does not send it again`;
  }

  #reportNotStarted(): void {
    const message =
      `start() must resolve before deliveries arrive, got one. It got 503, and ${this.#retry('its sender')}. ` +
      'Call `await receiver.start()` before the server listens.';
    this.#settings.report({ code: 'not_started', message, eventId: null, runId: null });
  }

  #reportOverload(): void {
    const message =
      `Bodies must fit into maxBufferedBytes (${this.#settings.maxBufferedBytes}), got more. The ` +
      `oldest unfinished one got 503, and ${this.#retry('its sender')}. Unknown senders can cause this: limit ` +
      'them in front of the app. If the deliveries are authentic, raise maxBufferedBytes.';
    this.#settings.report({ code: 'overloaded', message, eventId: null, runId: null });
  }
}

/** Shows a media type, and nothing else that a header may contain. */
function mediaType(text: string): string {
  const [type] = /^[\w.+-]{1,60}\/[\w.+-]{1,60}/.exec(text) ?? [];
  if (type !== undefined) return JSON.stringify(type);
  return text === '' ? 'none' : 'another text';
}

/** Quotes what anybody may have sent. */
function shown(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}

function withoutQuery(path: string): string {
  return path.split('?', 1)[0] ?? '';
}

/** If the store keeps the event later, the next attempt is a duplicate. */
function sinkTooSlow(): StoreError {
  const message = `Store must accept an event within ${MAX_PUT_MILLISECONDS} ms, got no result.`;
  return new StoreError('store_unavailable', message);
}

function newTrace(): ReceiveTrace {
  return { code: null, status: null, secretIndex: null, eventId: null };
}

function refused(code: ResponseCode): Received {
  return { code, eventId: null, secretIndex: null };
}
