/** Name and value of one header field; each character of the value is one octet (Latin-1). */
export type HeaderPair = readonly [name: string, value: string];

/** How the key of a case is made from the receiver's secret. `utf8` is the right way. */
export type KeyForm =
  'utf8' | 'utf8-without-prefix' | 'base64-after-prefix' | 'utf8-and-newline' | 'other' | 'empty';

/** One delivery, what must become of it, and why it is worth trying. See `spec/vectors/README.md`. */
export interface SignatureVector {
  readonly id: string;
  readonly comment: string;
  /** Keys of `SignatureVectors.notes`. */
  readonly flags: readonly string[];
  /** Verdict on headers, signature and timestamp; a `freedom` must never be asserted. */
  readonly result: 'valid' | 'invalid' | 'freedom';
  /** What the verdict rests on: the contract's words, a strict reading of them, or nothing (`open`). */
  readonly basis: 'contract' | 'reading' | 'open';
  /** Verdict on the body as an event, once the signature is accepted; null when it is never reached. */
  readonly envelope: 'valid' | 'invalid' | 'freedom' | null;
  /** Error code of this kit's receiver for the first thing that it refuses; null when it accepts. */
  readonly code: string | null;
  /** Whether an ordinary HTTP client can send the case unchanged. */
  readonly overHttp: boolean;
  /** The header fields sent, in order, for the group's `secret` and `now`. */
  readonly headers: readonly HeaderPair[];
  /** The body sent. */
  readonly bodyBase64: string;
  /** Number of spaces (0x20) that follow `bodyBase64` in the body sent. */
  readonly bodyTrailingSpaces?: number;
  /** What was signed, for the group's `secret` and `now`. Without a body of its own: the body sent. */
  readonly signed: {
    readonly keyHex: string;
    readonly id: string;
    readonly timestamp: string;
    readonly bodyBase64?: string;
    readonly bodyTrailingSpaces?: number;
    /** Lower-case hex of the MAC. */
    readonly digest: string;
  };
  /** How to make the case again for another secret and another present: see `prepareVector`. */
  readonly recipe: {
    readonly key: KeyForm;
    /** Distance from the receiver's present, in seconds, of the moment that `{timestamp}` stands for. */
    readonly timestampOffset: number;
    /** Id in the signed message, with placeholders. */
    readonly signedId: string;
    /** Timestamp in the signed message, with placeholders. */
    readonly signedTimestamp: string;
    /** The header fields to send, with placeholders. */
    readonly headers: readonly HeaderPair[];
  };
}

/** Cases that share a receiver's configuration. */
export interface SignatureVectorGroup {
  readonly name: string;
  readonly comment: string;
  /** The receiver's only secret; its key is the UTF-8 bytes of the whole string. */
  readonly secret: string;
  /** The receiver's present, in seconds since the epoch. */
  readonly now: number;
  readonly toleranceSeconds: number;
  readonly vectors: readonly SignatureVector[];
}

/** A bug that some vectors show. */
export interface SignatureVectorNote {
  readonly bugType: string;
  readonly effect: string;
}

export interface SignatureVectors {
  readonly about: string;
  readonly numberOfVectors: number;
  readonly notes: Readonly<Record<string, SignatureVectorNote>>;
  readonly groups: readonly SignatureVectorGroup[];
}
