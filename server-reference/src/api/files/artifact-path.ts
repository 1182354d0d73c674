import { invalidValue } from '../../errors.ts';
import type { StoredFile } from '../../store/datasets.ts';

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
 * @throws {ApiError} `invalid_value` for a path that is empty, absolute or not in Unicode's form NFC;
 * for a segment that is empty, `.` or `..`, starts with a drive letter, ends with a dot or a blank, or
 * contains a backslash, a control character or a lone surrogate; for more than 255 bytes in a segment or
 * 1024 in total
 */
export function readArtifactPath(text: string, field: string): string {
  if (text === '') throw invalidValue(field, 'must not be empty');
  if (Buffer.byteLength(text) > MAX_PATH_BYTES) {
    const message = `must be at most ${MAX_PATH_BYTES} bytes long`;
    throw invalidValue(field, message);
  }
  for (const segment of text.split('/')) checkSegment(segment, field);
  return text;
}

/**
 * Reads the name of one file or folder: a single segment by the rules of {@link readArtifactPath}.
 *
 * @throws {ApiError} `invalid_value`, for a slash too
 */
export function readBasename(text: string, field: string): string {
  return readSegment(text, field, MAX_SEGMENT_BYTES);
}

/**
 * Reads the name of a dataset example: a single segment like that of {@link readBasename}, but of at most 512
 * bytes.
 *
 * @throws {ApiError} `invalid_value`
 */
export function readExampleName(text: string, field: string): string {
  return readSegment(text, field, MAX_EXAMPLE_NAME_BYTES);
}

function readSegment(text: string, field: string, maxBytes: number): string {
  if (text === '') throw invalidValue(field, 'must not be empty');
  if (text.includes('/')) {
    const hint = 'Send the bare name, without folders.';
    throw invalidValue(field, 'must be a name without slashes', hint);
  }
  checkSegment(text, field, maxBytes);
  return text;
}

function checkSegment(segment: string, field: string, maxBytes = MAX_SEGMENT_BYTES): void {
  for (const [pattern, message] of FORBIDDEN) {
    if (pattern.test(segment)) throw invalidValue(field, message);
  }
  if (Buffer.byteLength(segment) > maxBytes) {
    const message = `must not have a segment of more than ${maxBytes} bytes`;
    throw invalidValue(field, message);
  }
  if (segment !== segment.normalize('NFC')) {
    const hint = 'Send the composed form, such as é as one character (C3 A9 in UTF-8).';
    throw invalidValue(field, 'must be in Unicode normalisation form NFC', hint);
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

/** Returns the files in the order of an example: by path, character by character. */
export function inOrder(files: readonly StoredFile[]): StoredFile[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Returns the first file that conflicts with a file at `path`: it has the same path, or one of the two would
 * have to be a folder of the other. The case of letters does not matter, because the files could not be
 * unpacked side by side everywhere.
 */
export function occupantOf<T extends Pick<StoredFile, 'path'>>(
  files: readonly T[],
  path: string,
): T | undefined {
  const folded = foldName(path);
  return files.find((file) => {
    const taken = foldName(file.path);
    return taken === folded || taken.startsWith(`${folded}/`) || folded.startsWith(`${taken}/`);
  });
}

/** Sorts before every character of a path, so that a folder stands directly before what is in it. */
const SEPARATOR = '\0';

/**
 * Returns two files that conflict as in {@link occupantOf}; undefined without any. Thousands of files need no
 * comparison of each pair.
 */
export function conflictOf<T extends Pick<StoredFile, 'path'>>(
  files: Iterable<T>,
): readonly [T, T] | undefined {
  const sorted = Array.from(files, (file) => ({
    file,
    key: foldName(file.path).replaceAll('/', SEPARATOR),
  })).toSorted((a, b) => (a.key < b.key ? -1 : 1));
  for (const [index, { file, key }] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next?.key === key || next?.key.startsWith(key + SEPARATOR) === true) {
      return [file, next.file];
    }
  }
  return undefined;
}

/**
 * Returns the form of a name by which file systems that ignore case compare it. Two names with the same form
 * cannot be unpacked side by side everywhere.
 */
export function foldName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}
