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
 * @param field - where the body has them
 * @param mostBytes - of one file
 * @throws {ApiError} 400 for a path that is none, or is taken by a file before it or by the folder of
 * one, for a media type that is none, and for a file that is too large or has not exactly one sort of
 * bytes
 */
export function readGivenFiles(
  field: string,
  given: readonly GivenFile[] | undefined,
  mostBytes: number,
): FileSource[] {
  const files = given ?? [];
  return files.map((file, index) => {
    const place = `${field}[${index}]`;
    readArtifactPath(file.path, `${place}.path`);
    if (occupantOf(files.slice(0, index), file.path) !== undefined) {
      const message = 'is the place of another file, or of its folder';
      throw badRequest('invalid_value', `${place}.path`, message);
    }
    const { path, contentType = UNKNOWN_TYPE } = file;
    if (!isMediaType(contentType)) {
      const message = 'must be a media type such as text/csv';
      throw badRequest('invalid_value', `${place}.contentType`, message);
    }
    const read = readBytes(file, place);
    if (read.size > mostBytes) {
      throw badRequest('invalid_value', place, `must be at most ${mostBytes} bytes`);
    }
    return { path, contentType, size: read.size, bytes: read.bytes };
  });
}

function readBytes(
  { text, base64, size }: GivenFile,
  place: string,
): Pick<FileSource, 'size' | 'bytes'> {
  if ([text, base64, size].filter((one) => one !== undefined).length !== 1) {
    throw badRequest('invalid_value', place, 'needs exactly one of text, base64 and size');
  }
  if (size !== undefined) return { size, bytes: generatedBytes(size) };
  const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
  return { size: bytes.length, bytes: Readable.from([bytes]) };
}

const BLOCK = Buffer.from('0123456789abcde\n'.repeat(4096));

/** So many bytes, always the same, in blocks of 64 KiB. */
export async function* generatedBytes(size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; left -= BLOCK.length) yield BLOCK.subarray(0, left);
}
