import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import type { RunEvent, RunStatus } from '@hookproof/spec';

import { request } from 'undici';
import { onTestFinished } from 'vitest';

import type { KeyedRandom } from '../../../server-reference/src/store/seed.ts';

/** What an endpoint did with an arrival; `held` never responds. */
type EndpointResponse = 204 | 503 | 'reset' | 'held';

/** One POST as it arrived at the endpoint. */
export interface LoggedArrival {
  readonly endpoint: EndpointKind;
  readonly eventId: string;
  readonly body: string;
  /** The number of the server process that sent it, counted from 0. */
  readonly life: number;
  readonly outcome: EndpointResponse;
  /** The place among all events at which the response had been sent; undefined before. */
  respondedAt: number | undefined;
}

/** A write that a process acknowledged: a run created in, or moved to a status. */
export interface Acknowledged {
  readonly runId: string;
  readonly status: RunStatus;
  readonly life: number;
  /** The places among all events of its request and of its response. */
  readonly askedAt: number;
  readonly respondedAt: number;
}

export const ENDPOINT_KINDS = ['quick', 'slow', 'failing', 'resetting', 'holding'] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

/** What an observer recorded of a server that was killed repeatedly, in one order. */
export interface KillLog {
  readonly url: string;
  readonly arrivals: readonly LoggedArrival[];
  readonly acknowledged: Acknowledged[];
  /** The number of the current process. */
  life: number;
  /** From now on nothing is held, so that everything can end. */
  calm: boolean;
  /** The next place in the order of all events. */
  tick(): number;
  /** Calls back at every arrival. */
  onArrival: () => void;
  /** Resolves when everything that a killed process had sent has been read. */
  readToTheEnd(): Promise<void>;
}

/** Five endpoints on one socket that keep a log. */
export async function keepKillLog(random: KeyedRandom): Promise<KillLog> {
  const arrivals: LoggedArrival[] = [];
  const times = new Map<string, number>();
  let ticks = 0;
  const sockets = new Set<Socket>();
  // A reused connection that closes would be an attempt that never arrives.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
    if (incoming.method === 'GET') {
      response.end();
      return;
    }
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const endpoint = ENDPOINT_KINDS.find((kind) => incoming.url === `/${kind}`) ?? 'quick';
      const eventId = String(incoming.headers['webhook-id']);
      const time = (times.get(endpoint + eventId) ?? 0) + 1;
      times.set(endpoint + eventId, time);
      const number = arrivals.length;
      const outcome = responseOf(endpoint, time, random(`response ${number}`), log.calm);
      const body = Buffer.concat(chunks).toString('utf8');
      const { life } = log;
      const arrival: LoggedArrival = {
        endpoint,
        eventId,
        body,
        life,
        outcome,
        respondedAt: undefined,
      };
      arrivals.push(arrival);
      const left = (): void => void (arrival.respondedAt = log.tick());
      const give = (): void => {
        if (outcome === 'held' || incoming.socket.destroyed) return;
        if (outcome !== 'reset') response.writeHead(outcome).end(left);
        else {
          incoming.socket.resetAndDestroy();
          left();
        }
      };
      if (endpoint === 'slow') setTimeout(give, 60 * random(`wait ${number}`));
      else give();
      log.onArrival();
    });
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const log: KillLog = {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    acknowledged: [],
    life: 0,
    calm: false,
    tick: () => (ticks += 1),
    onArrival: () => {},
    async readToTheEnd() {
      // Connections are accepted in turn: when this one is, all earlier ones are.
      await request(log.url, { reset: true });
      await Promise.all([...sockets].map((socket) => once(socket, 'close')));
    },
  };
  return log;
}

/** The failing endpoints accept an event the third time, and when calm, held arrivals get a response. */
function responseOf(
  endpoint: EndpointKind,
  time: number,
  chance: number,
  calm: boolean,
): EndpointResponse {
  if (endpoint === 'holding' && !calm && chance < 0.5) return 'held';
  if (endpoint === 'failing' && time < 3) return 503;
  if (endpoint === 'resetting' && time < 2) return 'reset';
  return 204;
}

export function eventOf({ body }: LoggedArrival): RunEvent {
  return JSON.parse(body) as RunEvent;
}
