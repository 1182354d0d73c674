import { strict as assert } from 'node:assert';

import type { ErrorEnvelope, RunSnapshot } from '@hookproof/spec';
import type * as Control from '@hookproof/spec/control';
import { request } from 'undici';

import type { StartedServer } from './servers.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What the API answered. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface ApiCall {
  readonly method?: Method;
  /** Default: the wildcard key of the world. */
  readonly key?: string;
  readonly json?: unknown;
}

const PATIENCE_MILLISECONDS = 10_000;

/** A client of one server: its control interface and its API. What it plants and opens, it can clear away. */
export class ServerClient {
  readonly #server: Pick<StartedServer, 'baseUrl' | 'controlUrl' | 'controlToken'>;
  readonly #opened = new Set<string>();
  #isLimited = false;
  #world: Promise<Control.World> | undefined;

  constructor(server: Pick<StartedServer, 'baseUrl' | 'controlUrl' | 'controlToken'>) {
    this.#server = server;
  }

  get baseUrl(): string {
    return this.#server.baseUrl;
  }

  /** The seeded world; of what a rule does in it only runs are left to the next. */
  world(): Promise<Control.World> {
    this.#world ??= this.control<Control.World>('GET', '/world');
    return this.#world;
  }

  /** Asks the control interface; rejects when it refuses. */
  async control<T>(method: Method, path: string, json?: unknown): Promise<T> {
    const { status, text } = await this.#ask(method, path, json);
    if (status >= 400) throw new Error(`${method} ${path} is answered ${status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** Asks the control interface for what it refuses; rejects when it does not. */
  async refusal(method: Method, path: string, json?: unknown): Promise<ErrorEnvelope> {
    const { status, text } = await this.#ask(method, path, json);
    // What should not be there must not be there for the next rule.
    if (status === 201) this.#opened.add(`${path}/${(JSON.parse(text) as { id: string }).id}`);
    assert.ok(status >= 400 && status < 500, `${method} ${path} is answered ${status}`);
    return JSON.parse(text) as ErrorEnvelope;
  }

  async #ask(method: Method, path: string, json: unknown): Promise<ApiAnswer> {
    return exchange(this.#server.controlUrl + path, method, this.#server.controlToken, json);
  }

  async api(path: string, { method, key, json }: ApiCall = {}): Promise<ApiAnswer> {
    const bearer = key ?? (await this.world()).keys.wildcard;
    return exchange(this.#server.baseUrl + path, method ?? 'GET', bearer, json);
  }

  async sink(answers?: readonly object[]): Promise<Control.Sink> {
    const sink = await this.control<Control.Sink>('POST', '/sinks', answers ? { answers } : {});
    this.#opened.add(`/sinks/${sink.id}`);
    return sink;
  }

  async endpoint(url: string, more?: object): Promise<Control.WebhookEndpoint> {
    const endpoint = await this.control<Control.WebhookEndpoint>('POST', '/webhook-endpoints', {
      url,
      ...more,
    });
    this.#opened.add(`/webhook-endpoints/${endpoint.id}`);
    return endpoint;
  }

  /** A sink with these answers, and an endpoint of this world that sends there. */
  async receiver(...answers: readonly object[]): Promise<Receiver> {
    const sink = await this.sink(answers.length === 0 ? undefined : answers);
    return new Receiver(this, sink, await this.endpoint(sink.url));
  }

  run(more: object = {}): Promise<RunSnapshot> {
    return this.control('POST', '/runs', more);
  }

  async move({ id }: { id: string }, ...statuses: readonly string[]): Promise<void> {
    for (const status of statuses) await this.control('POST', `/runs/${id}/moves`, { status });
  }

  async events(query: string): Promise<Control.Event[]> {
    return (await this.control<Control.EventList>('GET', `/events${query}`)).data;
  }

  async deliveries(query: string): Promise<Control.Delivery[]> {
    return (await this.control<Control.DeliveryList>('GET', `/deliveries${query}`)).data;
  }

  redeliver({ id }: { id: string }): Promise<Control.Delivery> {
    return this.control('POST', `/deliveries/${id}/redeliver`, {});
  }

  plant(order: object): Promise<Control.Pathology> {
    this.#opened.add('/pathologies');
    return this.control('POST', '/pathologies', order);
  }

  fault(order: object): Promise<Control.Fault> {
    this.#opened.add('/faults');
    return this.control('POST', '/faults', order);
  }

  /** Changes the limits. */
  limit(change: object): Promise<Control.Limits> {
    this.#isLimited = true;
    return this.control('PATCH', '/limits', change);
  }

  wait<T>(condition: object): Promise<T> {
    return this.control('POST', '/wait', condition);
  }

  /** Moves the clock; what falls due on the way is done then. */
  async advance(milliseconds: number): Promise<void> {
    await this.control('POST', '/clock/advance', { milliseconds });
  }

  /** Waits until what has begun is done, and no time has passed. */
  settle(): Promise<void> {
    return this.advance(0);
  }

  async now(): Promise<number> {
    return Date.parse((await this.control<Control.Clock>('GET', '/clock')).now);
  }

  /** Removes what a rule has left behind; says nothing of what a mutant does not let it remove. */
  async clear(): Promise<void> {
    const paths = [...this.#opened].toReversed();
    this.#opened.clear();
    const asked = paths.map((path) => this.#ask('DELETE', path, undefined));
    const limits = { rateLimit: null, accounting: 'available' };
    if (this.#isLimited) asked.push(this.#ask('PATCH', '/limits', limits));
    await Promise.allSettled(asked);
    // An attempt that still hangs runs into its deadline, and is not in the way of the next rule.
    await this.advance(10_000).catch(() => {});
  }
}

/** A webhook endpoint that leads to a sink. */
export class Receiver {
  readonly sink: Control.Sink;
  readonly endpoint: Control.WebhookEndpoint;
  readonly #client: ServerClient;

  constructor(client: ServerClient, sink: Control.Sink, endpoint: Control.WebhookEndpoint) {
    this.#client = client;
    this.sink = sink;
    this.endpoint = endpoint;
  }

  /** Asks for so many test events, one after another. */
  async sendTest(times = 1): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      await this.#client.control('POST', `/webhook-endpoints/${this.endpoint.id}/test`, {});
    }
  }

  deliveries(): Promise<Control.Delivery[]> {
    return this.#client.deliveries(`?endpointId=${this.endpoint.id}`);
  }

  /** The only one. */
  async delivery(): Promise<Control.Delivery> {
    return only(await this.deliveries());
  }

  async exchanges(): Promise<readonly Control.Exchange[]> {
    return (await this.#client.control<Control.Sink>('GET', `/sinks/${this.sink.id}`)).exchanges;
  }

  /** What has arrived, in the order of arrival. */
  async arrivals(): Promise<Control.ArrivedRequest[]> {
    const arrived = (await this.exchanges())
      .map((one) => one.arrived)
      .filter((one) => one !== null);
    return arrived.toSorted((a, b) => a.number - b.number);
  }

  /** Sends one test event, lets it come to an answer, and returns its delivery. */
  async tryOnce(): Promise<Control.Delivery> {
    await this.sendTest();
    await this.#client.settle();
    return this.delivery();
  }

  change(change: object): Promise<unknown> {
    return this.#client.control('PATCH', `/webhook-endpoints/${this.endpoint.id}`, change);
  }

  remove(): Promise<unknown> {
    return this.#client.control('DELETE', `/webhook-endpoints/${this.endpoint.id}`);
  }
}

/** The only one of a list. */
export function only<T>(list: readonly T[]): T {
  assert.equal(list.length, 1);
  return list[0] as T;
}

async function exchange(
  url: string,
  method: Method,
  bearer: string,
  json: unknown,
): Promise<ApiAnswer> {
  const response = await request(url, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
  });
  const text = await response.body.text();
  return { status: response.statusCode, headers: response.headers, text };
}
