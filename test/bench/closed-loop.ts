import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { processorSeconds } from './processor-time.ts';
import type { ServerProcess } from './server-process.ts';

/** What a server did in one loop. */
export interface LoopResult {
  /** The 99th percentile of the times from a request to its response, in milliseconds. */
  readonly percentile99: number;
  /** Microseconds that all threads of the server used for a request. */
  readonly processorMicroseconds: number;
}

/**
 * Sends requests over this number of connections. Each connection sends its next request when it has the response.
 * The requests are ready bytes and the responses are not parsed, so that the client takes little of the machine.
 *
 * @param requests - complete requests, which are sent in turn. Each response must be one chunk with the status 200
 */
export async function closedLoop(
  { pid, ready }: ServerProcess,
  requests: readonly string[],
  { connections, count }: { readonly connections: number; readonly count: number },
): Promise<LoopResult> {
  const { hostname, port } = new URL(ready.baseUrl);
  const sockets = Array.from({ length: connections }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map((socket) => once(socket.setNoDelay(), 'connect')));
  const bytes = requests.map((request) => Buffer.from(request));
  const times = new Float64Array(count);
  let sent = 0;
  const client = (socket: Socket): Promise<void> =>
    new Promise((resolve, reject) => {
      let [place, start] = [0, 0];
      const send = (): void => {
        if (sent === count) {
          socket.destroy();
          resolve();
          return;
        }
        [place, start] = [sent, performance.now()];
        sent += 1;
        socket.write(bytes[place % bytes.length] ?? '');
      };
      socket.on('error', reject).on('data', (response: Buffer) => {
        times[place] = performance.now() - start;
        if (response.toString('latin1', 0, 12) === 'HTTP/1.1 200') send();
        else reject(new Error(response.toString()));
      });
      send();
    });
  const before = await processorSeconds(pid);
  await Promise.all(sockets.map(client));
  const seconds = (await processorSeconds(pid)) - before;
  return {
    percentile99: times.toSorted()[Math.floor(count * 0.99)] ?? Number.NaN,
    processorMicroseconds: (seconds * 1e6) / count,
  };
}
