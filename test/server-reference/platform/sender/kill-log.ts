import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import type { RunEvent, RunStatus } from '@hookproof/spec';

import { request } from 'undici';
import { onTestFinished } from 'vitest';

import type { KeyedRandom } from '../../../../server-reference/src/platform/store/seed.ts';

/** What an endpoint did with an arrival; `held` answers never. */
export type EndpointAnswer = 204 | 503 | 'reset' | 'held';

/** One POST as the endpoint saw it. */
export interface LoggedArrival {
  readonly endpoint: EndpointKind;
  readonly eventId: string;
  readonly body: string;
  /** Which process of the server sent it, counted from 0. */
  readonly life: number;
  readonly answer: EndpointAnswer;
  /** The place among all that happened at which the answer had left; undefined while it has not. */
  answeredAt: number | undefined;
}

/** A write that a process acknowledged: a run created in, or moved to a status. */
export interface Acknowledged {
  readonly runId: string;
  readonly status: RunStatus;
  readonly life: number;
  /** The places among all that happened at which it was asked for and answered. */
  readonly askedAt: number;
  readonly answeredAt: number;
}

export const ENDPOINT_KINDS = ['quick', 'slow', 'failing', 'resetting', 'holding'] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

/** What the outside saw of a server that was killed again and again, in one order. */
export interface KillLog {
  readonly url: string;
  readonly arrivals: readonly LoggedArrival[];
  readonly acknowledged: Acknowledged[];
  /** The number of the process that runs now. */
  life: number;
  /** From now on nothing is held, so that everything can end. */
  calm: boolean;
  /** The next place in the order of everything that happens. */
  tick(): number;
  /** Calls back at every arrival. */
  onArrival: () => void;
  /** Resolves when all that a dead process had sent has been read. */
  readToTheEnd(): Promise<void>;
}

/** Five endpoints on one socket that keep a log. */
export async function keepKillLog(random: KeyedRandom): Promise<KillLog> {
  const arrivals: LoggedArrival[] = [];
  const times = new Map<string, number>();
  let ticks = 0;
  const sockets = new Set<Socket>();
  // A connection that is closed just as it is used again would be an attempt that never arrives.
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
      const answer = answerOf(endpoint, time, random(`answer ${number}`), log.calm);
      const body = Buffer.concat(chunks).toString('utf8');
      const { life } = log;
      const arrival: LoggedArrival = {
        endpoint,
        eventId,
        body,
        life,
        answer,
        answeredAt: undefined,
      };
      arrivals.push(arrival);
      const left = (): void => void (arrival.answeredAt = log.tick());
      const give = (): void => {
        if (answer === 'held' || incoming.socket.destroyed) return;
        if (answer !== 'reset') response.writeHead(answer).end(left);
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
      // Connections are accepted in turn: when this one is, all that were made before it are here.
      await request(log.url, { reset: true });
      await Promise.all([...sockets].map((socket) => once(socket, 'close')));
    },
  };
  return log;
}

/** The failing ones take an event the third time, and whatever is held is held no more once it is calm. */
function answerOf(
  endpoint: EndpointKind,
  time: number,
  chance: number,
  calm: boolean,
): EndpointAnswer {
  if (endpoint === 'holding' && !calm && chance < 0.5) return 'held';
  if (endpoint === 'failing' && time < 3) return 503;
  if (endpoint === 'resetting' && time < 2) return 'reset';
  return 204;
}

export function eventOf({ body }: LoggedArrival): RunEvent {
  return JSON.parse(body) as RunEvent;
}
