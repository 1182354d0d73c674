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
   * Takes bytes in as they come, without holding all of them. When it resolves they are durable, and
   * they stay until {@link Blobs.sweep}; commit a record that names them before that.
   *
   * @param limitBytes - the most bytes to take
   * @throws {BlobTooLarge} when there are more; nothing is kept then. Also rejects with what the
   * source threw
   */
  put(source: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StoredBytes>;

  /** Whether bytes with this hash are here. */
  has(sha256: string): Promise<boolean>;

  /**
   * The bytes, or a part of them, as a stream that reads only as fast as it is read.
   *
   * @throws {BlobMissing} before the stream begins
   */
  open(sha256: string, range?: ByteRange): Promise<Readable>;

  /** Forgets all bytes that `isNamed` denies, save those that arrived since the last commit. */
  sweep(isNamed: (sha256: string) => boolean): Promise<void>;
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
