import type {
  Clock,
  Limits,
  LimitsChange,
  RunCreation,
  RunMove,
  SentTest,
  WebhookEndpointChange,
  WebhookEndpointCreation,
} from '@hookproof/spec/control';

import type { HeaderPair } from '../http/exchange.ts';
import type { ControlTarget } from '../options/plan.ts';
import { keyVariable } from '../redaction/redactor.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { Inconclusive, NotApplicable } from '../verdict/findings.ts';
import { monotonicClock, sendWithRetries } from '../wire/rate.ts';
import { isSuccess } from '../http/message.ts';
import type { Incoming, Outgoing } from '../http/message.ts';
import { schemaFaults } from '../http/schema-faults.ts';
import type { GateSession } from '../wire/gate.ts';
import { isLostConnection } from '../wire/transport.ts';
import type { ApiResponse } from './api-client.ts';
import {
  ANYTHING,
  CLOCK,
  DELIVERIES,
  DELIVERY,
  ENDPOINT,
  ENDPOINTS,
  FAULT,
  FAULTS,
  LIMITS,
  RUN,
  SENT_TEST,
  WORLD,
  WORLDS,
} from './control-shapes.ts';
import type { Shape } from './control-shapes.ts';
import type {
  ControlClient,
  ControlledRun,
  Delivery,
  DeliveryFilter,
  InjectedFault,
  NewFault,
  WebhookEndpoint,
  World,
  WorldSummary,
} from './control-client.ts';
import { responseOf } from './response.ts';

/** Statuses of an operation that the control interface does not have. */
const ABSENT: ReadonlySet<number> = new Set([404, 405, 501]);
/** As in `control.yaml`. */
const DEFAULT_WAIT_MILLISECONDS = 5_000;
const POLL_MILLISECONDS = 50;
const ENDPOINTS_PATH = '/webhook-endpoints';
const MAX_LOST_CONNECTIONS = 3;
/**
 * What must not be done twice. A check may meet two worlds, runs, test events and redeliveries where it wanted one, as
 * on a platform in use, and a clock that moved further.
 */
const UNREPEATABLE = /^\/webhook-endpoints$|^\/api-faults$|\/moves$/;

/** The control client of one attempt. Keys and secrets in its responses are redacted from then on. */
export class HttpControlClient implements ControlClient {
  readonly #target: ControlTarget;
  readonly #session: GateSession;
  readonly #redactor: Redactor;
  #cannotWait = false;

  constructor(target: ControlTarget, session: GateSession, redactor: Redactor) {
    this.#target = target;
    this.#session = session;
    this.#redactor = redactor;
  }

  async world(): Promise<World> {
    return this.#hideKeys(await this.#request(WORLD, 'GET', '/world'));
  }

  async createWorld(label?: string): Promise<World> {
    const extra = label === undefined ? {} : { label };
    const response = await this.#sendWithExtra('POST', '/worlds', {}, extra);
    return this.#hideKeys(this.#read(WORLD, response, 'POST /worlds'));
  }

  createSharedWorld(): Promise<World> {
    return this.createWorld();
  }

  async worlds(): Promise<readonly WorldSummary[]> {
    return (await this.#requestOptional(WORLDS, 'GET', '/worlds')).data;
  }

  async deleteWorld(worldId: string): Promise<void> {
    await this.#requestOptional(ANYTHING, 'DELETE', `/worlds/${encodeURIComponent(worldId)}`);
  }

  createRun(run: RunCreation = {}): Promise<ControlledRun> {
    return this.#request(RUN, 'POST', '/runs', run);
  }

  run(runId: string): Promise<ControlledRun> {
    return this.#request(RUN, 'GET', `/runs/${encodeURIComponent(runId)}`);
  }

  moveRun(runId: string, move: RunMove): Promise<ControlledRun> {
    const path = `/runs/${encodeURIComponent(runId)}/moves`;
    return unlessDone(
      () => this.#request(RUN, 'POST', path, move),
      async () => {
        const run = await this.run(runId);
        return run.status === move.status ? run : null;
      },
    );
  }

  /** The listener of each endpoint has a URL of its own. */
  async createEndpoint(endpoint: WebhookEndpointCreation): Promise<WebhookEndpoint> {
    const created = await unlessDone(
      () => this.#request(ENDPOINT, 'POST', ENDPOINTS_PATH, endpoint),
      async () => (await this.endpoints()).find(({ url }) => url === endpoint.url) ?? null,
    );
    return this.#hideSecret(created);
  }

  async updateEndpoint(
    endpointId: string,
    change: WebhookEndpointChange,
  ): Promise<WebhookEndpoint> {
    return this.#hideSecret(
      await this.#request(ENDPOINT, 'PATCH', endpointPath(endpointId), change),
    );
  }

  async endpoints(): Promise<readonly WebhookEndpoint[]> {
    return (await this.#requestOptional(ENDPOINTS, 'GET', ENDPOINTS_PATH)).data;
  }

  async deleteEndpoint(endpointId: string): Promise<void> {
    await this.#request(ANYTHING, 'DELETE', endpointPath(endpointId));
  }

  sendTest(endpointId: string): Promise<SentTest> {
    return this.#request(SENT_TEST, 'POST', `${endpointPath(endpointId)}/test`);
  }

  async deliveries(filter: DeliveryFilter): Promise<Delivery[]> {
    const query = new URLSearchParams(Object.entries(filter)).toString();
    const { data } = await this.#request(DELIVERIES, 'GET', `/deliveries?${query}`);
    return [...data];
  }

  redeliver(deliveryId: string): Promise<Delivery> {
    const path = `/deliveries/${encodeURIComponent(deliveryId)}/redeliver`;
    return this.#request(DELIVERY, 'POST', path);
  }

  clock(): Promise<Clock> {
    return this.#request(CLOCK, 'GET', '/clock');
  }

  advanceClock(milliseconds: number): Promise<Clock> {
    return this.#request(CLOCK, 'POST', '/clock/advance', { milliseconds });
  }

  /** A response may have more members than a change: only those that a change knows are returned. */
  async limits(): Promise<Limits> {
    const { rateLimit, accounting } = await this.#requestOptional(LIMITS, 'GET', '/limits');
    if (rateLimit === null) return { rateLimit, accounting };
    const { requests, windowSeconds } = rateLimit;
    return { rateLimit: { requests, windowSeconds }, accounting };
  }

  changeLimits(change: LimitsChange): Promise<Limits> {
    const { expiresInMilliseconds, ...lasting } = change;
    const extra = expiresInMilliseconds === undefined ? {} : { expiresInMilliseconds };
    return this.#requestOptional(LIMITS, 'PATCH', '/limits', lasting, extra);
  }

  async injectFault({ status, expiresInMilliseconds, ...match }: NewFault): Promise<InjectedFault> {
    const fault = { match, times: 1, effect: { status } };
    const extra = expiresInMilliseconds === undefined ? {} : { expiresInMilliseconds };
    return this.#requestOptional(FAULT, 'POST', '/api-faults', fault, extra);
  }

  async faults(): Promise<readonly InjectedFault[]> {
    return (await this.#requestOptional(FAULTS, 'GET', '/api-faults')).data;
  }

  async removeFault(faultId: string): Promise<void> {
    await this.#requestOptional(ANYTHING, 'DELETE', `/api-faults/${encodeURIComponent(faultId)}`);
  }

  /** A control interface that cannot wait is asked again and again. */
  async waitForIdle(timeoutMilliseconds: number = DEFAULT_WAIT_MILLISECONDS): Promise<boolean> {
    if (!this.#cannotWait) {
      const response = await this.#send('POST', '/wait', { for: 'idle', timeoutMilliseconds });
      if (response.status === 408) return false;
      if (!ABSENT.has(response.status)) {
        this.#read(ANYTHING, response, 'POST /wait');
        return true;
      }
      this.#cannotWait = true;
    }
    const end = Date.now() + timeoutMilliseconds;
    for (;;) {
      const now = Date.parse((await this.clock()).now);
      const deliveries = await this.deliveries({});
      if (!deliveries.some((one) => isInProgress(one, now))) return true;
      if (Date.now() >= end) return false;
      await monotonicClock.sleep(POLL_MILLISECONDS, this.#session.signal);
    }
  }

  async #request<T>(shape: Shape<T>, method: string, path: string, json?: unknown): Promise<T> {
    return this.#read(shape, await this.#send(method, path, json), `${method} ${path}`);
  }

  /** For operations that a control interface may lack. */
  async #requestOptional<T>(
    shape: Shape<T>,
    method: string,
    path: string,
    json?: object,
    extra: object = {},
  ): Promise<T> {
    const response = await this.#sendWithExtra(method, path, json, extra);
    if (ABSENT.has(response.status)) {
      throw new NotApplicable(`the control interface has no ${method} ${path}`);
    }
    return this.#read(shape, response, `${method} ${path}`);
  }

  /** A control interface may refuse members that it does not know: then it gets the request without them. */
  async #sendWithExtra(
    method: string,
    path: string,
    json: object | undefined,
    extra: object,
  ): Promise<ApiResponse> {
    if (Object.keys(extra).length === 0) return this.#send(method, path, json);
    const response = await this.#send(method, path, { ...json, ...extra });
    return response.status === 400 ? this.#send(method, path, json) : response;
  }

  #read<T>({ name, validator }: Shape<T>, response: ApiResponse, request: string): T {
    const { status, json } = response;
    const validate = validator();
    if (isSuccess({ status }) && validate(json)) return json;
    const shown = (response.exchange.response?.body ?? 'without a body').slice(0, 300);
    const actual = isSuccess({ status })
      ? `${schemaFaults(validate, json)}: ${shown}. Send the members of control.yaml.`
      : `${status} ${shown}.${status === 401 ? ' Check --control-token.' : ''}`;
    throw new Inconclusive(
      `${request} on the control interface: expected a 2xx with ${name}, got ${actual}`,
    );
  }

  async #send(method: string, path: string, json?: unknown): Promise<ApiResponse> {
    const type: HeaderPair[] = json === undefined ? [] : [['content-type', 'application/json']];
    const outgoing = {
      method,
      url: `${this.#target.url}${path}`,
      headers: [['authorization', `Bearer ${this.#target.token}`], ...type] as const,
      body: json === undefined ? null : Buffer.from(JSON.stringify(json)),
    };
    return responseOf(outgoing, await this.#sendWithRetries(outgoing, path), this.#redactor);
  }

  /** A control interface may shed load as the API does. What it did before a connection broke is not done twice. */
  async #sendWithRetries(outgoing: Outgoing, path: string): Promise<Incoming> {
    let wait = 0;
    let isRepeated = false;
    const incoming = await sendWithRetries(outgoing, {
      send: async (repeat) => {
        isRepeated ||= repeat !== null;
        if (wait > 0) await monotonicClock.sleep(wait, this.#session.signal);
        wait = 0;
        return this.#session.send('control', outgoing, repeat);
      },
      pause: (milliseconds) => (wait = milliseconds),
      now: Date.now,
      isRepeatable: outgoing.method !== 'POST' || !UNREPEATABLE.test(path),
    });
    const isGone = isRepeated && outgoing.method === 'DELETE' && incoming.status === 404;
    return isGone ? { ...incoming, status: 204, bytes: new Uint8Array() } : incoming;
  }

  #hideKeys(world: World): World {
    for (const [name, key] of Object.entries(world.keys))
      this.#redactor.add(keyVariable(name), key);
    return world;
  }

  #hideSecret(endpoint: WebhookEndpoint): WebhookEndpoint {
    this.#redactor.add('HOOKPROOF_ENDPOINT_SECRET', endpoint.secret);
    return endpoint;
  }
}

/** Repeats a request after a lost connection, unless the first one had its effect. */
async function unlessDone<T>(
  request: () => Promise<T>,
  effect: () => Promise<T | null>,
): Promise<T> {
  for (let lost = 1; ; lost += 1) {
    try {
      return await request();
    } catch (error) {
      if (lost === MAX_LOST_CONNECTIONS || !isLostConnection(error)) throw error;
      const done = await effect();
      if (done !== null) return done;
    }
  }
}

/** Whether an attempt is being made or due. */
function isInProgress({ status, nextAttemptAt = null }: Delivery, now: number): boolean {
  return status === 'pending' && (nextAttemptAt === null || Date.parse(nextAttemptAt) <= now);
}

function endpointPath(endpointId: string): string {
  return `${ENDPOINTS_PATH}/${encodeURIComponent(endpointId)}`;
}
