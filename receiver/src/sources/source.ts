import type { HeaderSource } from '../verify/find-headers.ts';
import type { StandardSchema } from '../worker/standard-schema.ts';

/**
 * A sender of webhooks as the receiver sees it: how its deliveries are verified, and what its
 * events are.
 */
export interface Source<Events extends EventTypes = EventTypes> {
  /** The sender, for people, such as `Stripe`. */
  readonly sender: string;
  /**
   * The headers that `verify` needs, in lower case. The receiver refuses a delivery without one of
   * them or with one that came twice, before it reads the body.
   */
  readonly headers: readonly string[];
  /** Maximum length of a body. Default: that of the receiver, 1 MiB. */
  readonly bodyLimitBytes?: number;
  /**
   * Which setting of the sender makes its deliveries `application/json`, for the report of a 415.
   */
  readonly jsonSetting?: string;
  /** Types that need no handler: nothing reports them. Default: none. */
  readonly silentTypes?: readonly string[];
  /** Whether the sender sends a delivery again that got this status. */
  readonly retries: (status: number) => boolean;
  /**
   * How the events of one `key` are handled: `none`, one at a time, and one that failed holds up no
   * other; `serial`, one at a time in the order of their acceptance, and one that failed holds up
   * those after it.
   */
  readonly order: 'none' | 'serial';
  /**
   * Verifies a delivery. What it returns is stored before the response.
   *
   * @param headers The value of each of `headers`, by its name.
   * @param rawBody The bytes exactly as received.
   * @param now Milliseconds since the epoch.
   * @throws {WebhookVerificationError} With the `stage` `headers`, `signature` or `freshness`.
   */
  verify(
    headers: Readonly<Record<string, string>>,
    rawBody: Uint8Array,
    now: number,
  ): VerifiedEvent | Promise<VerifiedEvent>;
  /**
   * Reads what handlers get as `data` from the parsed body, when the event is handled.
   *
   * @throws {WebhookVerificationError} With the `stage` `event`: the event becomes a dead letter.
   */
  data(payload: unknown): unknown;
  /**
   * Checks `data` before the handlers get it. An event that does not match becomes a dead letter.
   */
  readonly schema?: StandardSchema;
  /**
   * Says in one line which mistake explains a refused delivery, without a secret or a part of the
   * body; for `explainRefusals`. Default: nothing is explained.
   *
   * @param now Milliseconds since the epoch.
   */
  readonly explain?: (
    delivery: { readonly headers: HeaderSource; readonly rawBody: Uint8Array },
    now: number,
  ) => Promise<string>;
  /** Only for types: the `data` of each type of event. */
  readonly events?: Events;
}

/** The `data` of each type of event. */
// oxlint-disable-next-line typescript/consistent-indexed-object-style -- an interface could not be extended
export type EventTypes = { readonly [type: string]: unknown };

/** What a source says of an authentic delivery. */
export interface VerifiedEvent {
  /**
   * The idempotency key, at most 512 characters: the same for each repetition, unique within its
   * source.
   */
  readonly id: string;
  /** The name of its handler. */
  readonly type: string;
  /** What belongs together, at most 512 characters; `null`: the event stands alone. */
  readonly key: string | null;
  /** When the event occurred, ISO 8601; `null` when the sender does not say. */
  readonly createdAt: string | null;
  /**
   * When the delivery was signed, in seconds since the epoch; now, when the sender signs no time.
   */
  readonly timestamp: number;
  /** Position of the secret that matches. */
  readonly secretIndex: number;
  /** Why the authentic body is no event: it is kept as a dead letter. `null`: it is one. */
  readonly error: string | null;
}

/** What the sources of this package have in common. */
export interface SourceOptions {
  /** How the events of one key are handled, as in `Source`. Default: `none`. */
  readonly order?: Source['order'];
  /** Maximum length of a body. */
  readonly bodyLimitBytes?: number;
}
