import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

import { ApiError, issue } from '../http/api-error.ts';
import { Download } from '../http/response.ts';
import type { StoredFile } from '../state/datasets.ts';
import type { FileRecord } from '../state/files.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { Blobs, ByteRange, StoredBytes } from '../store/blobs.ts';
import { contentDisposition } from './content-disposition.ts';
import { isMediaType, UNKNOWN_TYPE } from './new-file.ts';
import { readRange } from './read-range.ts';

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
  const range = request.method === 'GET' ? readRange(requestedRange(request, etag), size) : null;
  if (range === 'unsatisfiable') throw notSatisfiable(size);
  const headers = {
    'Content-Type': downloadType(file.contentType),
    'Content-Disposition': contentDisposition(file.filename),
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
  };
  if (range === null) {
    const content = await openContent(blobs, { size, sha256 });
    return new Download({ content, headers: { ...headers, 'Content-Length': String(size) } });
  }
  const { start, end } = range;
  return new Download({
    content: await openContent(blobs, { size, sha256 }, { start, end }),
    status: 206,
    headers: {
      ...headers,
      'Content-Length': String(end - start + 1),
      'Content-Range': `bytes ${start}-${end}/${size}`,
    },
  });
}

/** A stream costs more than so few bytes. */
const MAX_BYTES_AT_ONCE = 65_536;

async function openContent(
  blobs: Blobs,
  { size, sha256 }: StoredBytes,
  range?: ByteRange,
): Promise<Readable | Buffer> {
  return size <= MAX_BYTES_AT_ONCE ? blobs.read(sha256, range) : blobs.open(sha256, range);
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
    headers: {
      'Content-Type': UNKNOWN_TYPE,
      'Content-Length': String(size),
      'Content-Disposition': contentDisposition(path.slice(path.lastIndexOf('/') + 1)),
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

/** If-Range: serve the range only while the ETag still matches, else the whole file. */
function requestedRange({ headers }: IncomingMessage, etag: string): string | undefined {
  const ifRange = headers['if-range'];
  return ifRange === undefined || ifRange === etag ? headers.range : undefined;
}

function notSatisfiable(size: number): ApiError {
  const message = `must start before the end of the file (${size} bytes)`;
  return new ApiError(416, [issue('range_not_satisfiable', 'Range', message)], {
    headers: { 'Content-Range': `bytes */${size}` },
  });
}
