import type { IncomingMessage } from 'node:http';

/** The number of body bytes that a sink stores. The rest is read and discarded. */
const BODY_CAPTURE_BYTES = 1_048_576;

export interface CapturedBody {
  readonly bytes: Buffer;
  /** Whether these bytes are the whole body. */
  readonly complete: boolean;
}

/** Calls back once with the body of a request, or the part that arrived before the connection ended. */
export function readBody(request: IncomingMessage, done: (body: CapturedBody) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let ended = false;
  const finish = (whole: boolean): void => {
    if (ended) return;
    ended = true;
    const bytes = Buffer.concat(chunks).subarray(0, BODY_CAPTURE_BYTES);
    done({ bytes, complete: whole && size <= BODY_CAPTURE_BYTES });
  };
  request.on('data', (chunk: Buffer) => {
    if (size < BODY_CAPTURE_BYTES) chunks.push(chunk);
    size += chunk.byteLength;
  });
  request.on('end', () => finish(true));
  request.on('error', () => finish(false));
  request.on('close', () => finish(false));
}
