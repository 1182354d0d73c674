import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Clock } from '../../clock/clock.ts';
import { exchangeOver, sentExchange, foreignExchange, trimExchanges } from './exchange.ts';
import type { Exchange, SentPost } from './exchange.ts';
import { headerPairs } from './header-pairs.ts';
import { readBody } from './read-body.ts';
import type { CapturedBody } from './read-body.ts';
import { respond } from './respond.ts';
import { takeResponse } from './script.ts';
import type { Script } from './script.ts';

interface SinkOptions {
  readonly id: string;
  readonly url: string;
  readonly script: Script;
  readonly clock: Clock;
  /** Called after every visible change. */
  readonly changed: () => void;
}

/** One endpoint: its script and its exchanges. */
export class Sink {
  readonly id: string;
  readonly url: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The remaining responses; at least the last one. */
  script: Script;
  /** The number of received requests, complete or truncated. */
  arrived = 0;
  /** The newest exchanges, in the order of sending. */
  readonly exchanges: Exchange[] = [];
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #pending = new Set<ServerResponse>();

  constructor({ id, url, script, clock, changed }: SinkOptions) {
    this.id = id;
    this.url = url;
    this.script = script;
    this.createdAt = clock.now();
    this.#clock = clock;
    this.#changed = changed;
  }

  /** Records a POST that is about to be sent here. */
  expect(posted: SentPost): Exchange {
    const exchange = sentExchange(posted);
    this.#keep(exchange);
    posted.onRecorded((number) => {
      exchange.attempt = number;
      this.#changed();
    });
    return exchange;
  }

  /** Receives a request, and responds when it is complete. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const exchange = exchangeOver(this.exchanges, request.socket.remotePort) ?? foreignExchange();
    exchange.begun = true;
    if (exchange.sent === null) this.#keep(exchange);
    this.#pending.add(response);
    response.on('close', () => this.#pending.delete(response));
    readBody(request, (body) => this.#arrive(exchange, body, response));
  }

  /** Closes the connections that wait for a response. */
  disconnect(): void {
    for (const response of this.#pending) response.destroy();
  }

  #arrive(exchange: Exchange, { bytes, complete }: CapturedBody, response: ServerResponse): void {
    const { method = '', url = '', rawHeaders } = response.req;
    this.arrived += 1;
    const arrived = {
      number: this.arrived,
      at: this.#clock.now(),
      method,
      path: url,
      headers: headerPairs(rawHeaders),
      body: bytes,
      complete,
      response: null,
    };
    exchange.arrived = arrived;
    trimExchanges(this.exchanges);
    if (response.req.complete) this.#respond(exchange, response);
    exchange.onArrival();
    this.#changed();
  }

  /** Waits for a request that the sender has ended but this side has not fully received. */
  awaitArrival(exchange: Exchange): void {
    if (exchange.arrived !== null || exchange.sent?.localPort() === undefined) return;
    this.#clock.track(new Promise<void>((resolve) => (exchange.onArrival = resolve)));
  }

  #respond(exchange: Exchange, response: ServerResponse): void {
    const { response: scripted, left } = takeResponse(this.script);
    this.script = left;
    respond(scripted, {
      response,
      clock: this.#clock,
      sent: exchange.sent,
      given: (given) => {
        if (exchange.arrived !== null) exchange.arrived.response = given;
        this.#changed();
      },
    });
  }

  #keep(exchange: Exchange): void {
    this.exchanges.push(exchange);
    trimExchanges(this.exchanges);
    this.#changed();
  }
}
