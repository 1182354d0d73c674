import type { IncomingMessage } from 'node:http';

import { ApiError, issue } from '../http/api-error.ts';
import { Download } from '../http/response.ts';
import type { FileRecord } from '../state/files.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { Blobs } from '../store/blobs.ts';
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
  file: DeepReadonly<FileRecord>,
  request: IncomingMessage,
): Promise<Download> {
  const { size, sha256 } = file;
  const etag = `"${sha256}"`;
  const range = request.method === 'GET' ? readRange(requestedRange(request, etag), size) : null;
  if (range === 'unsatisfiable') throw notSatisfiable(size);
  const headers = {
    'Content-Type': isMediaType(file.contentType) ? file.contentType : UNKNOWN_TYPE,
    'Content-Disposition': contentDisposition(file.filename),
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
  };
  if (range === null) {
    const stream = await blobs.open(sha256);
    return new Download({ stream, headers: { ...headers, 'Content-Length': String(size) } });
  }
  const { start, end } = range;
  return new Download({
    stream: await blobs.open(sha256, { start, end }),
    status: 206,
    headers: {
      ...headers,
      'Content-Length': String(end - start + 1),
      'Content-Range': `bytes ${start}-${end}/${size}`,
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
