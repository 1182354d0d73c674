import { STATUS_CODES } from 'node:http';

import type { ApiError } from './api-error.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

/** An error as the bytes of a whole HTTP answer, for a connection that has no request to answer. */
export function rawAnswer(error: ApiError, requestId: string): string {
  const body = JSON.stringify(error.envelope(requestId));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
