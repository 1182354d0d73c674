import { invalidValue } from '../../errors.ts';
import type { PartLabel } from '../../http/read-form.ts';
import type { NewFile } from './file.ts';

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
    throw invalidValue(field, 'must end with a file name');
  }
  if (UNPRINTABLE.test(name)) {
    throw invalidValue(field, 'must not contain control characters');
  }
  if (name.length > MAX_NAME_LENGTH) {
    throw invalidValue(field, `must not be longer than ${MAX_NAME_LENGTH} characters`);
  }
  return name;
}

/**
 * Reads the name and the media type of a file of a form.
 *
 * @param defaultName - the name of a part without one. Default: the name is required
 * @throws {ApiError} `invalid_value` with the part as field
 */
export function readFileLabel(
  { name: field, filename: sent, contentType }: PartLabel,
  defaultName?: string,
): Pick<NewFile, 'filename' | 'contentType'> {
  const filename = sent === '' ? (defaultName ?? sent) : (sent ?? defaultName);
  if (filename === undefined) {
    const message = 'must have a filename in its Content-Disposition';
    throw invalidValue(field, message);
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

/** Reads the purpose of a new file. A file without a purpose is durable. */
export function readPurpose(purpose: string | null | undefined): string | null {
  if (purpose === undefined || purpose === null) return null;
  if (TEMPORARY.includes(purpose)) return purpose;
  throw invalidValue(
    'purpose',
    `must be ${TEMPORARY.join(' or ')}, got ${JSON.stringify(purpose.slice(0, 60))}`,
    'Leave it out for a durable file.',
  );
}
