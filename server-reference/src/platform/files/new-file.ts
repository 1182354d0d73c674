import { ApiError, badRequest, issue, ROOT } from '../http/api-error.ts';
import type { FileRecord, UploadRecord } from '../state/files.ts';
import type { State } from '../state/state.ts';
import { BlobTooLarge } from '../store/blobs.ts';
import type { Blobs, StoredBytes } from '../store/blobs.ts';
import { nextId } from '../store/seed.ts';

type FileLabel = Pick<UploadRecord, 'tenantId' | 'filename' | 'contentType' | 'purpose'>;

/** Adds a file whose bytes lie in the blobs. Call it inside a commit. */
export function addFile(
  state: State,
  nowMilliseconds: number,
  { tenantId, filename, contentType, purpose }: FileLabel,
  { size, sha256 }: StoredBytes,
): FileRecord {
  const lifetime = purpose === null ? null : LIFETIME_MILLISECONDS;
  const file: FileRecord = {
    id: nextId(state, 'file_'),
    tenantId,
    filename,
    contentType,
    size,
    sha256,
    purpose,
    createdAt: new Date(nowMilliseconds).toISOString(),
    expiresAt: lifetime === null ? null : new Date(nowMilliseconds + lifetime).toISOString(),
  };
  state.files[file.id] = file;
  return file;
}

const LONGEST_NAME = 255;

/** Control characters, line separators, and halves of characters that no encoding can carry. */
const UNSHOWABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}]/u;

/**
 * Reads the name of a new file. It is a label and never a path: of folders before it, as some clients
 * send them, nothing is kept.
 *
 * @param field - where the name was found
 */
export function readFilename(text: string, field: string): string {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1).trim();
  if (name === '' || name === '.' || name === '..') {
    throw badRequest('invalid_value', field, 'must end in the name of a file');
  }
  if (UNSHOWABLE.test(name)) {
    throw badRequest('invalid_value', field, 'must not hold control characters');
  }
  if (name.length > LONGEST_NAME) {
    throw badRequest('invalid_value', field, `must not be longer than ${LONGEST_NAME} characters`);
  }
  return name;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}( *; *${TOKEN}=(${TOKEN}|"[ !#-\\[\\]-~]*"))*$`);
const LONGEST_TYPE = 255;

/** What stands for bytes of which nothing is known. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** Whether a text can stand as it is in a Content-Type header. */
export function isMediaType(text: string): boolean {
  return text.length <= LONGEST_TYPE && MEDIA_TYPE.test(text);
}

/** What makes a file temporary. */
const TEMPORARY: readonly string[] = ['run-input', 'builder-attachment'];

/** How long a temporary file lives, from its creation. */
export const LIFETIME_MILLISECONDS = 86_400_000;

/** Reads the purpose of a new file; null, or none, makes a durable one. */
export function readPurpose(purpose: string | null | undefined): string | null {
  if (purpose === undefined || purpose === null) return null;
  if (TEMPORARY.includes(purpose)) return purpose;
  throw badRequest(
    'invalid_value',
    'purpose',
    `must be ${TEMPORARY.join(' or ')}, but is ${JSON.stringify(purpose.slice(0, 60))}`,
    'Leave it out for a file that is to stay.',
  );
}

/** 413. */
export function fileTooLarge(limitBytes: number, field: string = ROOT): ApiError {
  const message = `a file of at most ${limitBytes} bytes is taken here`;
  return new ApiError(413, [issue('payload_too_large', field, message)]);
}

/** Takes the bytes of a file in. Release them when a record names them, or none will.
 *
 * @throws {ApiError} 413 `payload_too_large`; also rejects with what the source threw
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
