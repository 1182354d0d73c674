import type { IncomingMessage } from 'node:http';

import { ROOT, badRequest } from './api-error.ts';

/** Refuses a body whose bytes are not what is meant: they come plain, in one piece or in chunks. */
export function checkCoding({ headers }: IncomingMessage): void {
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    const message = 'of Transfer-Encoding, chunked alone is understood';
    throw badRequest('malformed_request', ROOT, message);
  }
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw badRequest('unsupported_media_type', ROOT, 'the body must not be compressed');
  }
}
