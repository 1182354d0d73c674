import { isoTime } from '../clock/clock.ts';
import { ApiError, badRequest, issue, ROOT } from '../http/api-error.ts';
import type { PartLabel } from '../http/part-label.ts';
import type { FileRecord, UploadRecord } from '../state/files.ts';
import type { FileId } from '../state/ids.ts';
import type { State } from '../state/state.ts';
import { BlobTooLarge } from '../store/blobs.ts';
import type { Blobs, StoredBytes } from '../store/blobs.ts';
import { nextId } from '../store/seed.ts';

interface NewFile extends Pick<UploadRecord, 'tenantId' | 'filename' | 'contentType' | 'purpose'> {
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

const MAX_NAME_LENGTH = 255;

/** Control characters, line separators and lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}]/u;

/**
 * Reads the name of a new file. The name is a label, not a path: folders that some clients send before it
 * are dropped.
 *
 * @param field - the request field that contains the name
 */
export function readFilename(text: string, field: string): string {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1).trim();
  if (name === '' || name === '.' || name === '..') {
    throw badRequest('invalid_value', field, 'must end with a file name');
  }
  if (UNPRINTABLE.test(name)) {
    throw badRequest('invalid_value', field, 'must not contain control characters');
  }
  if (name.length > MAX_NAME_LENGTH) {
    throw badRequest(
      'invalid_value',
      field,
      `must not be longer than ${MAX_NAME_LENGTH} characters`,
    );
  }
  return name;
}

/**
 * Reads the name and the media type of a file of a form.
 *
 * @param defaultName - the name of a part without one. Default: the name is required
 * @throws {ApiError} 400 with the part as field
 */
export function readFileLabel(
  { name: field, filename: sent, contentType }: PartLabel,
  defaultName?: string,
): Pick<NewFile, 'filename' | 'contentType'> {
  const filename = sent === '' ? (defaultName ?? sent) : (sent ?? defaultName);
  if (filename === undefined) {
    const message = 'must have a filename in its Content-Disposition';
    throw badRequest('invalid_value', field, message);
  }
  return {
    filename: readFilename(filename, field),
    contentType: isMediaType(contentType) ? contentType : UNKNOWN_TYPE,
  };
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}( *; *${TOKEN}=(${TOKEN}|"[ !#-\\[\\]-~]*"))*$`);
const MAX_TYPE_LENGTH = 255;

/** The content type of a file whose type is unknown. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** Whether a string is a valid Content-Type header. */
export function isMediaType(text: string): boolean {
  return text.length <= MAX_TYPE_LENGTH && MEDIA_TYPE.test(text);
}

/** The purposes of temporary files. */
const TEMPORARY: readonly string[] = ['run-input', 'builder-attachment'];

/** The lifetime of a temporary file, from its creation. */
export const LIFETIME_MILLISECONDS = 86_400_000;

/** Reads the purpose of a new file. A file without a purpose is durable. */
export function readPurpose(purpose: string | null | undefined): string | null {
  if (purpose === undefined || purpose === null) return null;
  if (TEMPORARY.includes(purpose)) return purpose;
  throw badRequest(
    'invalid_value',
    'purpose',
    `must be ${TEMPORARY.join(' or ')}, got ${JSON.stringify(purpose.slice(0, 60))}`,
    'Leave it out for a durable file.',
  );
}

/** The error for a file over the size limit: 413 `payload_too_large`. */
export function fileTooLarge(limitBytes: number, field: string = ROOT): ApiError {
  const message = `must be at most ${limitBytes} bytes`;
  return new ApiError(413, [issue('payload_too_large', field, message)]);
}

/**
 * Stores the bytes of a file. Release them once a record refers to them or the request has failed.
 *
 * @throws {ApiError} 413 `payload_too_large`; also rejects with the error of the source
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
