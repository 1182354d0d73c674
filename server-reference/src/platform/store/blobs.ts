import type { Readable } from 'node:stream';

/** Bytes that have arrived. */
export interface StoredBytes {
  readonly size: number;
  /** In lower-case hex; they are read under it. */
  readonly sha256: string;
}

/** The first and the last byte of a part, both counted from 0 and included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the bytes of files lie, outside the state and under their hash, so that equal bytes lie once.
 * There are two, {@link createMemoryBlobs} and {@link openFolderBlobs}; they keep the same promises.
 */
export interface Blobs {
  /**
   * Takes bytes in as they come, without holding all of them. When it resolves they are durable and
   * held: no sweep removes them before {@link release}. Commit a record that names them in between.
   *
   * @param limitBytes - the most bytes to take
   * @throws {BlobTooLarge} when there are more. Also rejects with what the source threw, and with a
   * {@link StoreError} `store_bytes_failed`; nothing is kept in any of these cases
   */
  put(source: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StoredBytes>;

  /** Ends the hold of one {@link put}: a record names the bytes now, or nobody wants them. */
  release(sha256: string): void;

  /** Whether bytes with this hash are here. */
  has(sha256: string): Promise<boolean>;

  /**
   * The bytes, or a part of them, as a stream that reads only as fast as it is read.
   *
   * @throws {BlobMissing} before the stream begins
   */
  open(sha256: string, range?: ByteRange): Promise<Readable>;

  /**
   * Removes all bytes that nobody names or holds. One sweep at a time. Bytes that arrive meanwhile are
   * safe.
   *
   * @param readNames - asked once for every hash that a record names
   * @param settle - called where there is something to remove: resolves when the records that
   * `readNames` went by are durable
   */
  sweep(readNames: () => ReadonlySet<string>, settle: () => Promise<void>): Promise<void>;
}

/** More bytes came than are taken. */
export class BlobTooLarge extends Error {
  override readonly name = 'BlobTooLarge';
  readonly code = 'blob_too_large';
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super(`more than ${limitBytes} bytes came; send at most so many`);
    this.limitBytes = limitBytes;
  }
}

/** A record names bytes that are not here. */
export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
  readonly code = 'blob_missing';

  constructor(sha256: string) {
    super(`no bytes lie under ${sha256}; they were removed from the data folder`);
  }
}
