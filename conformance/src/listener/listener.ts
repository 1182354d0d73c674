import type { IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';

import type { Between } from '../http/between.ts';
import type { Incoming, Outgoing } from '../http/message.ts';
import type { ListenerResponse, ReceivedDelivery, ResponseScript } from './delivery.ts';
import { deliveryOf, isDelivery, receive } from './receive.ts';

const NO_BYTES = new Uint8Array();

/** What all listeners of a run share. */
export interface ListenerSetting {
  readonly now: () => number;
  /** Stands between the senders and the listeners. */
  readonly between?: Between | undefined;
  /** Gets a sentence about a request that is not a delivery. Default: none. */
  readonly onRemark?: ((text: string) => void) | undefined;
}

/** A webhook endpoint of the suite: one path of its listener server. Records deliveries and responds by script. */
export interface Listener {
  /** What the sender posts to. */
  readonly url: string;
  /** In order of arrival. */
  readonly deliveries: readonly ReceivedDelivery[];
  /** Resolves at the next arrival or on timeout. */
  arrival(timeoutMilliseconds: number): Promise<void>;
  /** The number of requests that reached it, whatever became of them. */
  readonly reached: number;
  /** The number of held deliveries whose sender still waits for a response. */
  readonly held: number;
  /** Responds to every held delivery with 204. */
  release(): void;
  /** Ends the connections of its requests in progress. Later deliveries get 410. */
  close(): Promise<void>;
}

/** A listener that its server hands requests to. */
export class ListenerPath implements Listener {
  readonly url: string;
  readonly deliveries: ReceivedDelivery[] = [];
  reached = 0;
  readonly #script: ResponseScript;
  readonly #setting: ListenerSetting;
  readonly #removed: () => void;
  readonly #waiting = new Set<() => void>();
  /** The deliveries of each event, by the id in the body. */
  readonly #events = new Map<string, ReceivedDelivery[]>();
  readonly #held = new Set<() => void>();
  readonly #open = new Set<IncomingMessage>();

  /** `removed` is called when the listener closes. */
  constructor(url: string, script: ResponseScript, setting: ListenerSetting, removed: () => void) {
    this.url = url;
    this.#script = script;
    this.#setting = setting;
    this.#removed = removed;
  }

  get held(): number {
    return this.#held.size;
  }

  /** Records a request of its path and responds. */
  async accept(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open.add(request);
    this.reached += 1;
    const closed = new Promise<never>((_resolve, reject) => {
      response.once('close', () => {
        this.#open.delete(request);
        reject(new Error('the sender closed the connection'));
      });
    });
    closed.catch(() => {});
    const next = (passed: Outgoing): Promise<Incoming> => this.#responseTo(passed, closed);
    const { between, onRemark } = this.#setting;
    const arrived = await receive(request, this.url);
    if (!isDelivery(arrived)) {
      onRemark?.(
        `The listener got a ${arrived.method} request without any webhook header, as platforms send it to try an address. It is not judged as a delivery.`,
      );
      respond({ status: 204, headers: [], bytes: NO_BYTES }, response);
      return;
    }
    try {
      respond(await (between?.(arrived, next) ?? next(arrived)), response);
    } catch {
      reset(request);
    }
  }

  arrival(timeoutMilliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      // The listener server keeps the process alive. Without it, nobody waits any longer.
      const timer = setTimeout(wake, timeoutMilliseconds).unref();
      this.#waiting.add(wake);
    });
  }

  release(): void {
    for (const respondNow of this.#held) respondNow();
  }

  close(): Promise<void> {
    this.#removed();
    for (const request of this.#open) request.socket.destroy();
    return Promise.resolve();
  }

  /** Records a delivery. Rejects for a reset, and when the sender no longer waits. */
  #responseTo(passed: Outgoing, closed: Promise<never>): Promise<Incoming> {
    const arrived = deliveryOf(passed, this.#setting.now(), (id) => this.#attemptsOf(id));
    const attempts = this.#attemptsOf(arrived.event['id']);
    const scripted = this.#script(arrived, attempts.length + 1);
    const delivery = { ...arrived, response: scripted };
    this.deliveries.push(delivery);
    attempts.push(delivery);
    const response = scripted === 'hold' ? this.#hold(closed) : scriptedResponse(scripted);
    for (const wake of this.#waiting) wake();
    return response;
  }

  #attemptsOf(eventId: unknown): ReceivedDelivery[] {
    const id = String(eventId);
    const known = this.#events.get(id) ?? [];
    this.#events.set(id, known);
    return known;
  }

  /** Until `release` or the end of the connection. */
  #hold(closed: Promise<never>): Promise<Incoming> {
    return new Promise<Incoming>((resolve, reject) => {
      const release = (): void => {
        this.#held.delete(release);
        resolve({ status: 204, headers: [], bytes: NO_BYTES });
      };
      this.#held.add(release);
      closed.catch((error: unknown) => {
        this.#held.delete(release);
        reject(error);
      });
    });
  }
}

function scriptedResponse(scripted: Exclude<ListenerResponse, 'hold'>): Promise<Incoming> {
  if (scripted === 'reset') return Promise.reject(new Error('the script resets the connection'));
  const headers = Object.entries(scripted.headers ?? {});
  const bytes = scripted.body === undefined ? NO_BYTES : Buffer.from(scripted.body);
  return Promise.resolve({ status: scripted.status, headers, bytes });
}

function respond({ status, headers, bytes }: Incoming, response: ServerResponse): void {
  response
    .writeHead(
      status,
      headers.flatMap(([name, value]) => [name, value]),
    )
    .end(bytes);
}

function reset({ socket }: IncomingMessage): void {
  // The reset of a TLS socket would throw.
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}
