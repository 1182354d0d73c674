import { Readable } from 'node:stream';

import type { GivenFile } from '@hookproof/spec/control';

import { conflictOf, readArtifactPath } from '../../api/files/artifact-path.ts';
import { isMediaType, UNKNOWN_TYPE } from '../../api/files/file-label.ts';
import type { FileSource } from '../../api/files/file.ts';
import { invalidValue } from '../../errors.ts';

/**
 * Reads the files of a body.
 *
 * @param field - the body field with the files
 * @param maxBytes - maximum size of one file
 * @throws {ApiError} 400 for an invalid path or media type, for a path that conflicts with another file,
 * and for a file that is too large or does not have exactly one of text, base64 and size
 */
export function readGivenFiles(
  field: string,
  given: readonly GivenFile[] | undefined,
  maxBytes: number,
): FileSource[] {
  const files = (given ?? []).map((file, index) => readFile(file, `${field}[${index}]`, maxBytes));
  const conflict = conflictOf(files.map(({ path }, index) => ({ path, index })));
  if (conflict !== undefined) {
    const index = Math.max(...conflict.map((file) => file.index));
    const message = 'must not equal or contain the path of another file';
    throw invalidValue(`${field}[${index}].path`, message);
  }
  return files;
}

function readFile(file: GivenFile, field: string, maxBytes: number): FileSource {
  const path = readArtifactPath(file.path, `${field}.path`);
  const { contentType = UNKNOWN_TYPE } = file;
  if (!isMediaType(contentType)) {
    const message = 'must be a media type such as text/csv';
    throw invalidValue(`${field}.contentType`, message);
  }
  const { size, bytes } = readBytes(file, field);
  if (size > maxBytes) throw invalidValue(field, `must be at most ${maxBytes} bytes`);
  return { path, contentType, size, bytes };
}

function readBytes(
  { text, base64, size }: GivenFile,
  field: string,
): Pick<FileSource, 'size' | 'bytes'> {
  if ([text, base64, size].filter((content) => content !== undefined).length !== 1) {
    throw invalidValue(field, 'must have exactly one of text, base64 and size');
  }
  if (size !== undefined) return { size, bytes: generatedBytes(size) };
  const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
  return { size: bytes.length, bytes: Readable.from([bytes]) };
}

const BLOCK = Buffer.from('0123456789abcde\n'.repeat(4096));

/** Yields `size` bytes in blocks of 64 KiB. The same size gives the same bytes. */
async function* generatedBytes(size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; left -= BLOCK.length) yield BLOCK.subarray(0, left);
}
