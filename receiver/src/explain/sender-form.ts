import type { HeaderSource } from '../verify/find-headers.ts';
import type { KnownKey } from './known-keys.ts';
import type { KnownMessage } from './known-messages.ts';
import type { Mistake } from './mistake.ts';

/** What the headers of a delivery say, each of them well-formed. */
export interface SignedHeaders {
  /** The id, where a header has it. */
  readonly id: string;
  /** When the delivery says that it was signed, in seconds since the epoch; `null`: no time is. */
  readonly timestamp: number | null;
  /** The digests, of which one is enough. */
  readonly digests: readonly Uint8Array[];
  /** Returns what is signed for a body. */
  readonly messageOf: (body: Uint8Array) => Uint8Array;
  /** Returns what known mistakes sign in its place. */
  readonly mistakenMessages: (body: Uint8Array) => readonly KnownMessage[];
}

/** How a sender signs, and its commonest mistakes. */
export interface SenderForm {
  /** Reads the headers, or returns what is wrong with their form. */
  readonly read: (source: HeaderSource) => SignedHeaders | Mistake;
  /** Returns the key that the sender makes of a secret, which may be malformed. */
  readonly keyOf: (secret: string) => Uint8Array;
  /** Returns the keys that known mistakes make of it. Messages call the secret `name`. */
  readonly mistakenKeys: (secret: string, name: string) => readonly KnownKey[];
  /** Returns what a secret is when it is none that signs webhooks, such as an API key. */
  readonly otherKind?: (secret: string) => string | null;
  /** Returns why an authentic body is no event; `null` when it is one. */
  readonly eventProblem: (rawBody: Uint8Array, id: string) => string | null;
  /** How to get the right secret. */
  readonly copyFix: string;
}
