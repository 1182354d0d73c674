import type { Readable } from 'node:stream';

/** Size and hash of stored bytes. */
export interface StoredBytes {
  readonly size: number;
  /** In lower-case hex; the key to read the bytes. */
  readonly sha256: string;
}

/** The first and last byte of a range, counted from 0, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Stores the bytes of files outside the state, keyed by their hash, so that equal bytes are stored once.
 * {@link createMemoryBlobs} and {@link openFolderBlobs} implement it.
 */
export interface Blobs {
  /**
   * Stores bytes from a stream. When it resolves, the bytes are durable and held: no sweep removes them
   * before {@link release}. Commit a record that refers to them before you release them.
   *
   * @param limitBytes - maximum number of bytes
   * @throws {BlobTooLarge} for more bytes. Also rejects with the error of the source, or with a
   * {@link StoreError} `store_bytes_failed` or `store_full`. In each case nothing is stored
   */
  put(source: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StoredBytes>;

  /** Ends the hold of one {@link put}. Call it once a record refers to the bytes or the request has failed. */
  release(sha256: string): void;

  /** Returns whether bytes with this hash are stored. */
  has(sha256: string): Promise<boolean>;

  /**
   * Returns the bytes, or a range of them, at once. For bytes that are few; {@link open} streams the others.
   *
   * @throws {BlobMissing}
   * @throws {BlobDamaged} if the stored bytes do not have this hash
   */
  read(bytes: StoredBytes, range?: ByteRange): Promise<Buffer>;

  /**
   * Returns the bytes, or a range of them, as a stream with backpressure. All bytes are compared with their hash before
   * the stream starts, also for a range.
   *
   * @throws {BlobMissing}
   * @throws {BlobDamaged} if the stored bytes do not have this size and hash
   */
  open(bytes: StoredBytes, range?: ByteRange): Promise<Readable>;

  /**
   * Returns a range of the bytes as a stream, without a look at the others. For many ranges of bytes that have
   * checksums of their own.
   *
   * @throws {BlobMissing}
   */
  openUnchecked(bytes: StoredBytes, range: ByteRange): Promise<Readable>;

  /**
   * Removes all bytes that no record refers to and no {@link put} holds. Bytes that arrive meanwhile are
   * kept. Run one sweep at a time.
   *
   * @param readHashes - called once; returns the hashes that records refer to
   * @param flush - called if there are bytes to remove; resolves when the records that `readHashes` has read are
   * durable
   * @throws {StoreError} `store_locked` if another server has taken the folder over
   */
  sweep(readHashes: () => ReadonlySet<string>, flush: () => Promise<void>): Promise<void>;

  /** Sets the sweep that {@link put} awaits before it refuses bytes as `store_full`. Only blobs in memory do. */
  whenFull?(sweep: () => Promise<void>): void;
}

/** The source has more bytes than the limit of {@link Blobs.put}. */
export class BlobTooLarge extends Error {
  override readonly name = 'BlobTooLarge';
  readonly code = 'blob_too_large';
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super(`The source has more than ${limitBytes} bytes.`);
    this.limitBytes = limitBytes;
  }
}

/** A record refers to bytes that are not stored. */
export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
  readonly code = 'blob_missing';

  constructor(sha256: string) {
    super(`The bytes ${sha256} are missing from the data folder.`);
  }
}

/** Stored bytes are not those that were stored under their hash. */
export class BlobDamaged extends Error {
  override readonly name = 'BlobDamaged';
  readonly code = 'blob_damaged';

  constructor(sha256: string) {
    super(`The bytes ${sha256} in the data folder are damaged. Restore their file from a backup.`);
  }
}
