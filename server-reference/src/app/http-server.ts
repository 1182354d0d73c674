import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';

import { answerConnectionErrors } from './connection-errors.ts';
import type { NewRequestId } from './request-id.ts';

/**
 * A server that leaves every answer to the app, as far as Node lets it, and gives those of Node itself
 * the form of the app's.
 *
 * @param newRequestId - for what is answered before there is a request
 */
export function createHttpServer(handle: RequestListener, newRequestId: NewRequestId): Server {
  // The app looks at the Host header itself, and answers with the envelope.
  const server = createServer({ requireHostHeader: false }, handle);
  // Without these two Node would answer, or invite a body that nobody wants, before the app is asked.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  answerConnectionErrors(server, newRequestId);
  return server;
}
