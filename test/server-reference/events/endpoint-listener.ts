import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

import { listeningPort } from '../../listening-port.ts';

/** One delivery as it arrived. */
export interface Arrival {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface EndpointListener {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Resolves when the given number has arrived. */
  arrived(count: number): Promise<readonly Arrival[]>;
}

/** Responds to an arrival, counted from 1. A response that it does not end hangs. */
type Script = (response: ServerResponse, number: number, arrival: Arrival) => void;

/** A status for each arrival in turn; the last one repeats. */
export function statuses(...script: number[]): Script {
  return (response, number) => {
    response.statusCode = script[Math.min(number, script.length) - 1] ?? 204;
    response.end();
  };
}

/** The status of the run in each event that arrived. */
export function runStatuses({ arrivals }: EndpointListener): string[] {
  return arrivals.map(({ body }) => JSON.parse(body.toString('utf8')).data.run.status);
}

/** Starts an endpoint on a real socket that responds by a script, for one test. */
export async function listenAt(script: Script = statuses(204)): Promise<EndpointListener> {
  const arrivals: Arrival[] = [];
  const waiting: { count: number; resolve: (arrivals: readonly Arrival[]) => void }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const arrival = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
      };
      const number = arrivals.push(arrival);
      script(response, number, arrival);
      for (const { count, resolve } of waiting) if (number >= count) resolve(arrivals);
    });
  });
  return {
    url: `http://127.0.0.1:${await listeningPort(server)}/hook`,
    arrivals,
    arrived: (count) =>
      new Promise((resolve) => {
        if (arrivals.length >= count) resolve(arrivals);
        else waiting.push({ count, resolve });
      }),
  };
}
