import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { isIPv6 } from 'node:net';

import { answerConnectionErrors } from './app/connection-errors.ts';
import type { NewRequestId } from './app/request-id.ts';

/** An HTTP server that listens. */
export interface Listening {
  /** `http://host:port`, without a trailing slash. */
  readonly origin: string;
  readonly port: number;
  /** Stops listening and cuts every connection. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** For what is answered before there is a request. */
  readonly newRequestId: NewRequestId;
}

/** Serves requests at an address; rejects with the error of Node when it cannot be had. */
export async function listen(
  handle: RequestListener,
  { host, port, newRequestId }: ListenOptions,
): Promise<Listening> {
  // The app looks at the Host header itself, and answers with the envelope.
  const server = createServer({ requireHostHeader: false }, handle);
  // Without these two Node would answer, or invite a body that nobody wants, before the app is asked.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  answerConnectionErrors(server, newRequestId);

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });

  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    origin: `http://${isIPv6(host) ? `[${host}]` : host}:${bound}`,
    port: bound,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
