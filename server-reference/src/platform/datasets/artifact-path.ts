import { badRequest } from '../http/api-error.ts';

const LONGEST_SEGMENT_BYTES = 255;
const LONGEST_PATH_BYTES = 1024;

/** What a segment must not be, and why; the first that fits is told. */
const FAULTS: readonly (readonly [pattern: RegExp, message: string])[] = [
  [/^$/, 'has an empty segment: no slash may stand at an end or beside another'],
  [/^\.\.?$/, 'has a segment . or .., but leads only downwards'],
  [/\\/, 'has a backslash; segments are delimited by slashes'],
  [/[\p{Cc}\p{Zl}\p{Zp}]/u, 'has a control character or a line separator'],
  [/\p{Cs}/u, 'has half of a surrogate pair, which is no character'],
  [/^[A-Za-z]:/, 'has a segment that begins like a drive'],
  [/[. ]$/, 'has a segment that ends with a dot or a blank, which some systems drop'],
];

/**
 * Reads the place of a file: segments with slashes between them, such as `reports/summary.csv`. It is
 * a key that is compared character by character and never a file name of this machine; and it is a
 * name that ZIP archives may carry.
 *
 * @param text - decoded, so a slash is a slash however it was written
 * @param field - what the issue names
 * @returns the text as it came
 * @throws {ApiError} 400 `invalid_value` for what is empty, absolute, or not in Unicode's form NFC; for
 * segments that are empty, `.` or `..`, begin like a drive, end with a dot or a blank, or hold
 * backslashes, control characters or lone surrogates; for more than 255 bytes in a segment or 1024 in all
 */
export function readArtifactPath(text: string, field: string): string {
  if (text === '') throw badRequest('invalid_value', field, 'must not be empty');
  if (Buffer.byteLength(text) > LONGEST_PATH_BYTES) {
    const message = `must be at most ${LONGEST_PATH_BYTES} bytes long`;
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
  if (text === '') throw badRequest('invalid_value', field, 'must not be empty');
  if (text.includes('/')) {
    const hint = 'Send the bare name, without folders.';
    throw badRequest('invalid_value', field, 'must be a name without slashes', hint);
  }
  checkSegment(text, field);
  return text;
}

function checkSegment(segment: string, field: string): void {
  for (const [pattern, message] of FAULTS) {
    if (pattern.test(segment)) throw badRequest('invalid_value', field, message);
  }
  if (Buffer.byteLength(segment) > LONGEST_SEGMENT_BYTES) {
    const message = `has a segment of more than ${LONGEST_SEGMENT_BYTES} bytes`;
    throw badRequest('invalid_value', field, message);
  }
  if (segment !== segment.normalize('NFC')) {
    const hint = 'Send the composed form, such as é as one character (C3 A9 in UTF-8).';
    throw badRequest('invalid_value', field, 'is not in Unicode normalisation form NFC', hint);
  }
}
