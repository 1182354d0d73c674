import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

import { refusal } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import { Download } from '../../http/response.ts';
import type { Blobs, ByteRange, StoredBytes } from '../../store/blobs.ts';
import type { StoredFile } from '../../store/datasets.ts';
import type { FileRecord } from '../../store/files.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { isMediaType, UNKNOWN_TYPE } from './file-label.ts';

/**
 * The bytes of a file, or the one range that a GET asks for with `Range`.
 *
 * @throws {ApiError} 416 `range_not_satisfiable`
 */
export async function downloadFile(
  blobs: Blobs,
  file: DeepReadonly<Pick<FileRecord, 'filename' | 'contentType' | 'size' | 'sha256'>>,
  request: IncomingMessage,
): Promise<Download> {
  const { size, sha256 } = file;
  const etag = `"${sha256}"`;
  const range = readRange(requestedRange(request, etag), size);
  if (range === 'unsatisfiable') throw notSatisfiable(size);
  const { start, end } = range ?? { start: 0, end: size - 1 };
  return new Download({
    content: await openContent(blobs, { size, sha256 }, range ?? undefined),
    filename: file.filename,
    contentType: downloadType(file.contentType),
    length: end - start + 1,
    ...(range === null ? {} : { status: 206 }),
    headers: {
      'Accept-Ranges': 'bytes',
      ETag: etag,
      ...(range === null ? {} : { 'Content-Range': `bytes ${start}-${end}/${size}` }),
    },
  });
}

/** A stream costs more than so few bytes. */
const MAX_BYTES_AT_ONCE = 65_536;

async function openContent(
  blobs: Blobs,
  bytes: StoredBytes,
  range?: ByteRange,
): Promise<Readable | Buffer> {
  return bytes.size <= MAX_BYTES_AT_ONCE ? blobs.read(bytes, range) : blobs.open(bytes, range);
}

/** Clients parse JSON and HTML instead of passing their bytes on, so these go out as plain bytes. */
function downloadType(contentType: string): string {
  return isMediaType(contentType) && !/json|html/i.test(contentType) ? contentType : UNKNOWN_TYPE;
}

/** The bytes of a file of a run or an example, whatever its media type. Its name is the end of its path. */
export async function downloadBytes(
  blobs: Blobs,
  { path, size, sha256 }: DeepReadonly<StoredFile>,
): Promise<Download> {
  return new Download({
    content: await openContent(blobs, { size, sha256 }),
    filename: path.slice(path.lastIndexOf('/') + 1),
    length: size,
  });
}

/**
 * If-Range: serve the range only while the ETag still matches, else the whole file. With If-None-Match too, which is
 * judged before a range.
 */
function requestedRange({ method, headers }: IncomingMessage, etag: string): string | undefined {
  if (method !== 'GET' || headers['if-none-match'] !== undefined) return undefined;
  const ifRange = headers['if-range'];
  return ifRange === undefined || ifRange === etag ? headers.range : undefined;
}

function notSatisfiable(size: number): ApiError {
  const message = `must start before the end of the file (${size} bytes)`;
  return refusal('range_not_satisfiable', 'Range', message, {
    headers: { 'Content-Range': `bytes */${size}` },
  });
}

const SINGLE_RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * Reads a Range header for a file of a known size.
 *
 * @returns the range; null for the whole file, where the header is absent, malformed or names several
 * ranges; `unsatisfiable` where the range starts after the last byte
 */
export function readRange(
  header: string | undefined,
  size: number,
): ByteRange | null | 'unsatisfiable' {
  const [, first = '', last = ''] = SINGLE_RANGE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first !== '' && last !== '' && Number(first) > Number(last)) return null;
  // A suffix longer than the file means the whole file.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start < size ? { start, end } : 'unsatisfiable';
}
