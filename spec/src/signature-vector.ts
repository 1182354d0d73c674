/** Name and value of one header. Each character of the value is one octet (Latin-1). */
export type HeaderPair = readonly [name: string, value: string];

/** How to derive the key of a case from the receiver's secret. `utf8` is the default of this project. */
export type KeyForm =
  | 'utf8'
  | 'utf8-without-prefix'
  | 'base64-after-prefix'
  | 'utf8-and-newline'
  | 'other'
  | 'empty';

/** One delivery, its expected result and its purpose. See `spec/vectors/README.md`. */
export interface SignatureVector {
  readonly id: string;
  readonly comment: string;
  /** Keys of `SignatureVectors.notes`. */
  readonly flags: readonly string[];
  /** Expected result for headers, signature and timestamp. Never assert a `freedom`. */
  readonly result: 'valid' | 'invalid' | 'freedom';
  /** Basis of the result: the text of the contract, a strict reading of it, or none (`open`). */
  readonly basis: 'contract' | 'reading' | 'open';
  /** Expected result for the body as an event, or null if the signature must be refused. */
  readonly envelope: 'valid' | 'invalid' | 'freedom' | null;
  /** Error code of the receiver in this repository, or null if it accepts the delivery. */
  readonly code: string | null;
  /** Whether a normal HTTP client can send the case unchanged. */
  readonly overHttp: boolean;
  /** Sent headers in order, for the group's `secret` and `now`. */
  readonly headers: readonly HeaderPair[];
  /** Sent body. */
  readonly bodyBase64: string;
  /** Number of spaces (0x20) after `bodyBase64` in the sent body. */
  readonly bodyTrailingSpaces?: number;
  /** What was signed, for the group's `secret` and `now`. Default of the body: the sent body. */
  readonly signed: {
    readonly keyHex: string;
    readonly id: string;
    readonly timestamp: string;
    readonly bodyBase64?: string;
    readonly bodyTrailingSpaces?: number;
    /** Lower-case hex of the MAC. */
    readonly digest: string;
  };
  /** How to prepare the case for another secret and time. See `prepareVector`. */
  readonly recipe: {
    readonly key: KeyForm;
    /** Offset of `{timestamp}` from the receiver's current time, in seconds. */
    readonly timestampOffset: number;
    /** ID in the signed message, with placeholders. */
    readonly signedId: string;
    /** Timestamp in the signed message, with placeholders. */
    readonly signedTimestamp: string;
    /** Headers to send, with placeholders. */
    readonly headers: readonly HeaderPair[];
  };
}

/** Cases that share a receiver's configuration. */
export interface SignatureVectorGroup {
  readonly name: string;
  readonly comment: string;
  /** The only secret of the receiver. Its key is the UTF-8 bytes of the whole string. */
  readonly secret: string;
  /** The receiver's current time, in seconds since the epoch. */
  readonly now: number;
  readonly toleranceSeconds: number;
  readonly vectors: readonly SignatureVector[];
}

/** A bug that some vectors detect. */
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
