import type { File } from '@hookproof/spec';

import { isoTime } from '../../clock/clock.ts';
import { ROOT, notFound, refusal } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import { BlobTooLarge } from '../../store/blobs.ts';
import type { Blobs, StoredBytes } from '../../store/blobs.ts';
import type { StoredFile } from '../../store/datasets.ts';
import type { FileRecord, UploadRecord } from '../../store/files.ts';
import type { FileId, TenantId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { nextId } from '../../store/seed.ts';
import type { ReadonlyState, State } from '../../store/state.ts';
import { inOrder } from './artifact-path.ts';

/** Returns a file that has not expired, or undefined. */
export function findLiveFile(
  state: Pick<ReadonlyState, 'files'>,
  id: string,
  nowMilliseconds: number,
): DeepReadonly<FileRecord> | undefined {
  const file = state.files.get(id);
  if (file === undefined || hasExpired(file, nowMilliseconds)) return undefined;
  return file;
}

/**
 * Returns the tenant's file with this id, unless it has expired.
 *
 * @throws {ApiError} `not_found`
 */
export function findFile(
  state: Pick<ReadonlyState, 'files'>,
  tenantId: TenantId,
  id: string,
  nowMilliseconds: number,
): DeepReadonly<FileRecord> {
  const file = findLiveFile(state, id, nowMilliseconds);
  if (file === undefined || file.tenantId !== tenantId) {
    throw notFound('id', 'no file has this id');
  }
  return file;
}

/** Returns whether a record has expired. `expiresAt: null` means never. */
export function hasExpired(
  { expiresAt }: { readonly expiresAt: string | null },
  nowMilliseconds: number,
): boolean {
  return expiresAt !== null && nowMilliseconds >= Date.parse(expiresAt);
}

/** Returns a file as the API shows it. A durable file has no purpose. */
export function presentFile(file: DeepReadonly<FileRecord>): File {
  const { id, filename, contentType, size, createdAt, purpose } = file;
  return { id, filename, contentType, size, createdAt, ...(purpose === null ? {} : { purpose }) };
}

export interface NewFile extends Pick<
  UploadRecord,
  'tenantId' | 'filename' | 'contentType' | 'purpose'
> {
  /** Default: a new id. */
  readonly fileId?: FileId;
}

/** Adds the record of a file whose bytes are stored. */
export function addFile(
  state: State,
  nowMilliseconds: number,
  { fileId, tenantId, filename, contentType, purpose }: NewFile,
  { size, sha256 }: StoredBytes,
): FileRecord {
  const lifetime = purpose === null ? null : LIFETIME_MILLISECONDS;
  const file: FileRecord = {
    id: fileId ?? nextId(state, 'file_'),
    tenantId,
    filename,
    contentType,
    size,
    sha256,
    purpose,
    createdAt: isoTime(nowMilliseconds),
    expiresAt: lifetime === null ? null : isoTime(nowMilliseconds + lifetime),
  };
  state.files.add(file);
  return file;
}

/** Deletes a file and the uploads that created it. */
export function removeFile({ files, uploads }: State, id: FileId): void {
  uploads.deleteWhere(({ fileId, completedAt }) => fileId === id && completedAt !== null);
  files.delete(id);
}

/** The lifetime of a temporary file, from its creation. */
const LIFETIME_MILLISECONDS = 86_400_000;

/** The error for a file over the size limit. */
export function fileTooLarge(limitBytes: number, field: string = ROOT): ApiError {
  const message = `must be at most ${limitBytes} bytes`;
  return refusal('payload_too_large', field, message);
}

/**
 * Stores the bytes of a file.
 *
 * @throws {ApiError} `payload_too_large`; also rejects with the error of the source
 */
export async function receiveBytes(
  blobs: Blobs,
  source: AsyncIterable<Uint8Array>,
  limitBytes: number,
): Promise<StoredBytes> {
  try {
    return await blobs.put(source, limitBytes);
  } catch (error) {
    throw error instanceof BlobTooLarge ? fileTooLarge(limitBytes) : error;
  }
}

/** A file whose bytes are not stored yet. */
export interface FileSource {
  readonly path: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Stores the bytes of files. Returns the files ordered by path. */
export async function storeFiles(
  blobs: Blobs,
  files: readonly FileSource[],
): Promise<StoredFile[]> {
  const stored: StoredFile[] = [];
  for (const { path, contentType, size, bytes } of files) {
    stored.push({ path, contentType, ...(await blobs.put(bytes, size)) });
  }
  return inOrder(stored);
}
