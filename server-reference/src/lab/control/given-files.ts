import { Readable } from 'node:stream';

import type { GivenFile } from '@hookproof/spec/control';

import { readArtifactPath } from '../../platform/datasets/artifact-path.ts';
import { occupantOf } from '../../platform/datasets/examples.ts';
import type { FileSource } from '../../platform/datasets/examples.ts';
import { isMediaType, UNKNOWN_TYPE } from '../../platform/files/new-file.ts';
import { badRequest } from '../../platform/http/api-error.ts';

/**
 * Reads the files of a body.
 *
 * @param field - the body field with the files
 * @param maxBytes - maximum size of one file
 * @throws {ApiError} 400 for an invalid path or media type, for a path that conflicts with a previous file,
 * and for a file that is too large or does not have exactly one of text, base64 and size
 */
export function readGivenFiles(
  field: string,
  given: readonly GivenFile[] | undefined,
  maxBytes: number,
): FileSource[] {
  const files = given ?? [];
  return files.map((file, index) => {
    const place = `${field}[${index}]`;
    readArtifactPath(file.path, `${place}.path`);
    if (occupantOf(files.slice(0, index), file.path) !== undefined) {
      const message = 'must not equal or contain the path of another file';
      throw badRequest('invalid_value', `${place}.path`, message);
    }
    const { path, contentType = UNKNOWN_TYPE } = file;
    if (!isMediaType(contentType)) {
      const message = 'must be a media type such as text/csv';
      throw badRequest('invalid_value', `${place}.contentType`, message);
    }
    const read = readBytes(file, place);
    if (read.size > maxBytes) {
      throw badRequest('invalid_value', place, `must be at most ${maxBytes} bytes`);
    }
    return { path, contentType, size: read.size, bytes: read.bytes };
  });
}

function readBytes(
  { text, base64, size }: GivenFile,
  place: string,
): Pick<FileSource, 'size' | 'bytes'> {
  if ([text, base64, size].filter((one) => one !== undefined).length !== 1) {
    throw badRequest('invalid_value', place, 'must have exactly one of text, base64 and size');
  }
  if (size !== undefined) return { size, bytes: generatedBytes(size) };
  const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
  return { size: bytes.length, bytes: Readable.from([bytes]) };
}

const BLOCK = Buffer.from('0123456789abcde\n'.repeat(4096));

/** Yields `size` bytes in blocks of 64 KiB. The same size gives the same bytes. */
export async function* generatedBytes(size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; left -= BLOCK.length) yield BLOCK.subarray(0, left);
}
