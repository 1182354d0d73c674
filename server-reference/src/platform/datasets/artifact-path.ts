import { badRequest } from '../http/api-error.ts';

const MAX_SEGMENT_BYTES = 255;
const MAX_PATH_BYTES = 1024;
/** 128 characters of at most four bytes. */
const MAX_EXAMPLE_NAME_BYTES = 512;

/** What a segment must not match. The message of the first match is reported. */
const FORBIDDEN: readonly (readonly [pattern: RegExp, message: string])[] = [
  [/^$/, 'must not have an empty segment: slashes only separate segments'],
  [/^\.\.?$/, 'must not have a segment . or ..'],
  [/\\/, 'must not contain a backslash; separate segments with slashes'],
  [/[\p{Cc}\p{Zl}\p{Zp}]/u, 'must not contain a control character or a line separator'],
  [/\p{Cs}/u, 'must not contain a lone surrogate'],
  [/^[A-Za-z]:/, 'must not have a segment that starts with a drive letter'],
  [/[. ]$/, 'must not have a segment that ends with a dot or a blank: some systems drop it'],
];

/**
 * Reads the path of a file: segments separated by slashes, such as `reports/summary.csv`. The path is a
 * key that is compared character by character, and a valid name in a ZIP archive. It is never a path on
 * this machine.
 *
 * @param text - decoded: `%2F` is a slash
 * @param field - the request field that contains the path
 * @returns the unchanged text
 * @throws {ApiError} 400 `invalid_value` for a path that is empty, absolute or not in Unicode's form NFC;
 * for a segment that is empty, `.` or `..`, starts with a drive letter, ends with a dot or a blank, or
 * contains a backslash, a control character or a lone surrogate; for more than 255 bytes in a segment or
 * 1024 in total
 */
export function readArtifactPath(text: string, field: string): string {
  if (text === '') throw badRequest('invalid_value', field, 'must not be empty');
  if (Buffer.byteLength(text) > MAX_PATH_BYTES) {
    const message = `must be at most ${MAX_PATH_BYTES} bytes long`;
    throw badRequest('invalid_value', field, message);
  }
  for (const segment of text.split('/')) checkSegment(segment, field);
  return text;
}

/**
 * Reads the name of one file or folder: a single segment by the rules of {@link readArtifactPath}.
 *
 * @throws {ApiError} 400 `invalid_value`, for a slash too
 */
export function readBasename(text: string, field: string): string {
  return readSegment(text, field, MAX_SEGMENT_BYTES);
}

/**
 * Reads the name of a dataset example: a single segment like that of {@link readBasename}, but of at most 512
 * bytes.
 *
 * @throws {ApiError} 400 `invalid_value`
 */
export function readExampleName(text: string, field: string): string {
  return readSegment(text, field, MAX_EXAMPLE_NAME_BYTES);
}

function readSegment(text: string, field: string, maxBytes: number): string {
  if (text === '') throw badRequest('invalid_value', field, 'must not be empty');
  if (text.includes('/')) {
    const hint = 'Send the bare name, without folders.';
    throw badRequest('invalid_value', field, 'must be a name without slashes', hint);
  }
  checkSegment(text, field, maxBytes);
  return text;
}

function checkSegment(segment: string, field: string, maxBytes = MAX_SEGMENT_BYTES): void {
  for (const [pattern, message] of FORBIDDEN) {
    if (pattern.test(segment)) throw badRequest('invalid_value', field, message);
  }
  if (Buffer.byteLength(segment) > maxBytes) {
    const message = `must not have a segment of more than ${maxBytes} bytes`;
    throw badRequest('invalid_value', field, message);
  }
  if (segment !== segment.normalize('NFC')) {
    const hint = 'Send the composed form, such as é as one character (C3 A9 in UTF-8).';
    throw badRequest('invalid_value', field, 'must be in Unicode normalisation form NFC', hint);
  }
}

/**
 * Returns the name of a file as one segment of a path: what {@link readBasename} would refuse is replaced by
 * underscores or cut off.
 */
export function toArtifactName(text: string): string {
  const name = text
    .normalize('NFC')
    .replaceAll(/[/\\\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu, '_')
    .replace(/^([A-Za-z]):/, '$1_');
  const short = Buffer.from(name).subarray(0, MAX_SEGMENT_BYTES).toString();
  return short.replace(/\u{FFFD}+$/u, '').replace(/[. ]+$|^$/, '_');
}
