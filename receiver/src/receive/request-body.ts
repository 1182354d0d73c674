/** A Node.js readable stream, such as the request of `node:http`. */
export interface NodeBodyStream {
  /** True once something was read: then a parser came first, and the body is refused. */
  readonly readableDidRead: boolean;
  /** True after its end. A body that ended unread is empty. */
  readonly readableEnded: boolean;
  /** True when the connection was lost or closed. */
  readonly destroyed: boolean;
  /** Calls a listener with each part of the body. */
  on(event: 'data', listener: (chunk: unknown) => void): unknown;
  /** Calls a listener when the body is complete, or never will be. */
  on(event: 'end' | 'close' | 'error', listener: () => void): unknown;
  /** Reads the rest without use, so that the response can be sent. */
  resume(): unknown;
  /** Closes the stream. */
  destroy(): unknown;
}

/** A web stream, such as the `body` of a Fetch request. */
export interface WebBodyStream {
  /** True when somebody else reads it: then the body is refused. */
  readonly locked: boolean;
  /** Begins to read. */
  getReader(): {
    /** Reads the next part. */
    read(): Promise<{
      /** True after the last part. */
      readonly done: boolean;
      /** The bytes of the part. */
      readonly value?: unknown;
    }>;
    /** Gives up the rest. */
    cancel(): Promise<void>;
  };
}

/**
 * The body of a request, exactly as received: bytes, or a stream that has not been read. A string,
 * a parsed object or a `Blob` is refused with the code `body_not_bytes`.
 */
export type RequestBody =
  | Uint8Array
  | ArrayBuffer
  | NodeBodyStream
  | WebBodyStream
  | AsyncIterable<Uint8Array>
  | BodyFailure;

type BodyFailureCode =
  | 'body_too_large'
  | 'body_stalled'
  | 'body_aborted'
  | 'body_already_read'
  | 'body_not_bytes'
  | 'request_unexpected'
  | 'overloaded';

/** Why there are no bytes. A class, so that no value from a request can pass for it. */
export class BodyFailure {
  readonly code: BodyFailureCode;
  /** For a mistake of the app: what was received, and the fix. */
  readonly message: string;

  constructor(code: BodyFailureCode, message = '') {
    this.code = code;
    this.message = message;
  }
}

/**
 * Returns the failure of a body that a parser consumed.
 *
 * @param fix How to keep the bytes in the framework of the caller.
 */
export function bodyAlreadyRead(fix: string): BodyFailure {
  return new BodyFailure(
    'body_already_read',
    `Body must be unread, got a body that a parser consumed. ${fix}`,
  );
}

/** Returns the failure of a body that is neither bytes nor a stream of bytes. */
export function bodyNotBytes(received: string): BodyFailure {
  return new BodyFailure(
    'body_not_bytes',
    'body must be a Uint8Array, an ArrayBuffer or a stream of bytes that is not read yet, got ' +
      `${received}. Pass the bytes as received: no text, no parsed JSON, no string encoding of a stream.`,
  );
}

/** Returns the failure of a call that did not pass a request. */
export function requestUnexpected(message: string): BodyFailure {
  return new BodyFailure('request_unexpected', message);
}

/** Also recognizes the bytes of another realm, which test runners have. */
export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array || tagOf(value) === 'Uint8Array';
}

export function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return value instanceof ArrayBuffer || tagOf(value) === 'ArrayBuffer';
}

export function isNodeStream(body: object): body is NodeBodyStream {
  return 'readableDidRead' in body && 'on' in body && typeof body.on === 'function';
}

export function isWebStream(body: object): body is WebBodyStream {
  return 'getReader' in body && typeof body.getReader === 'function';
}

export function isAsyncIterable(body: object): body is AsyncIterable<unknown> {
  return Symbol.asyncIterator in body;
}

/** Names the kind of a value, without its content. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (typeof value !== 'object') return `a ${typeof value}`;
  return `an object of type ${tagOf(value)}`;
}

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
