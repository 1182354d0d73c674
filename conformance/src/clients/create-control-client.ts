import type {
  Clock,
  DeliveryWait,
  Limits,
  LimitsChange,
  RunCreation,
  RunMove,
  RunWait,
  SentTest,
  WebhookEndpointChange,
  WebhookEndpointCreation,
} from '@hookproof/spec/control';

import type { HeaderPair } from '../http/exchange.ts';
import type { ControlTarget } from '../options/plan.ts';
import { keyVariable } from '../redaction/redactor.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { Inconclusive, NotApplicable } from '../verdict/findings.ts';
import type { GateSession } from '../wire/gate.ts';
import type { ApiResponse } from './api-client.ts';
import {
  isClock,
  isDelivery,
  isDeliveryList,
  isEmpty,
  isEndpoint,
  isLimits,
  isObject,
  isRun,
  isSentTest,
  isWorld,
} from './control-client.ts';
import type {
  ControlClient,
  ControlledRun,
  Delivery,
  DeliveryFilter,
  NewFault,
  Shape,
  WaitOptions,
  WebhookEndpoint,
  World,
} from './control-client.ts';
import { responseOf } from './response.ts';

/** The control client of one attempt. Keys and secrets in its responses are redacted from then on. */
export function createControlClient(
  target: ControlTarget,
  session: GateSession,
  redactor: Redactor,
): ControlClient {
  return new HttpControlClient(target, session, redactor);
}

/** Statuses of an operation that the control interface does not have. */
const ABSENT: ReadonlySet<number> = new Set([404, 405, 501]);
const DEFAULT_IDLE_TIMEOUT_MILLISECONDS = 5_000;
const ENDPOINTS = '/webhook-endpoints';

class HttpControlClient implements ControlClient {
  readonly #target: ControlTarget;
  readonly #session: GateSession;
  readonly #redactor: Redactor;

  constructor(target: ControlTarget, session: GateSession, redactor: Redactor) {
    this.#target = target;
    this.#session = session;
    this.#redactor = redactor;
  }

  async world(): Promise<World> {
    return this.#hideKeys(await this.#request(isWorld, 'GET', '/world'));
  }

  async createWorld(): Promise<World> {
    return this.#hideKeys(await this.#request(isWorld, 'POST', '/worlds', {}));
  }

  createRun(run: RunCreation = {}): Promise<ControlledRun> {
    return this.#request(isRun, 'POST', '/runs', run);
  }

  run(runId: string): Promise<ControlledRun> {
    return this.#request(isRun, 'GET', `/runs/${encodeURIComponent(runId)}`);
  }

  moveRun(runId: string, move: RunMove): Promise<ControlledRun> {
    return this.#request(isRun, 'POST', `/runs/${encodeURIComponent(runId)}/moves`, move);
  }

  async createEndpoint(endpoint: WebhookEndpointCreation): Promise<WebhookEndpoint> {
    return this.#hideSecret(await this.#request(isEndpoint, 'POST', ENDPOINTS, endpoint));
  }

  async updateEndpoint(
    endpointId: string,
    change: WebhookEndpointChange,
  ): Promise<WebhookEndpoint> {
    return this.#hideSecret(
      await this.#request(isEndpoint, 'PATCH', endpointPath(endpointId), change),
    );
  }

  async deleteEndpoint(endpointId: string): Promise<void> {
    await this.#request(isEmpty, 'DELETE', endpointPath(endpointId));
  }

  sendTest(endpointId: string): Promise<SentTest> {
    return this.#request(isSentTest, 'POST', `${endpointPath(endpointId)}/test`);
  }

  async deliveries(filter: DeliveryFilter): Promise<Delivery[]> {
    const query = new URLSearchParams(Object.entries(filter)).toString();
    const { data } = await this.#request(isDeliveryList, 'GET', `/deliveries?${query}`);
    return [...data];
  }

  redeliver(deliveryId: string): Promise<Delivery> {
    const path = `/deliveries/${encodeURIComponent(deliveryId)}/redeliver`;
    return this.#request(isDelivery, 'POST', path);
  }

  clock(): Promise<Clock> {
    return this.#request(isClock, 'GET', '/clock');
  }

  advanceClock(milliseconds: number): Promise<Clock> {
    return this.#request(isClock, 'POST', '/clock/advance', { milliseconds });
  }

  limits(): Promise<Limits> {
    return this.#requestOptional(isLimits, 'GET', '/limits');
  }

  changeLimits(change: LimitsChange): Promise<Limits> {
    return this.#requestOptional(isLimits, 'PATCH', '/limits', change);
  }

  async injectFault({ status, ...match }: NewFault): Promise<void> {
    const fault = { match, times: 1, effect: { status } };
    await this.#requestOptional(isObject, 'POST', '/api-faults', fault);
  }

  waitForDelivery(
    deliveryId: string,
    options?: WaitOptions<DeliveryWait>,
  ): Promise<Delivery | null> {
    return this.#wait(isDelivery, { for: 'delivery', id: deliveryId, ...options });
  }

  waitForRun(runId: string, options?: WaitOptions<RunWait>): Promise<ControlledRun | null> {
    return this.#wait(isRun, { for: 'run', id: runId, ...options });
  }

  async waitForIdle(timeoutMilliseconds = DEFAULT_IDLE_TIMEOUT_MILLISECONDS): Promise<boolean> {
    return (await this.#wait(isObject, { for: 'idle', timeoutMilliseconds })) !== null;
  }

  async #request<T>(shape: Shape<T>, method: string, path: string, json?: unknown): Promise<T> {
    return this.#read(shape, await this.#send(method, path, json), `${method} ${path}`);
  }

  /** For operations that a control interface may lack. */
  async #requestOptional<T>(
    shape: Shape<T>,
    method: string,
    path: string,
    json?: unknown,
  ): Promise<T> {
    const response = await this.#send(method, path, json);
    if (ABSENT.has(response.status)) {
      throw new NotApplicable(`the control interface has no ${method} ${path}`);
    }
    return this.#read(shape, response, `${method} ${path}`);
  }

  async #wait<T>(shape: Shape<T>, awaited: object): Promise<T | null> {
    const response = await this.#send('POST', '/wait', awaited);
    return response.status === 408 ? null : this.#read(shape, response, 'POST /wait');
  }

  #read<T>(shape: Shape<T>, { status, json, text }: ApiResponse, request: string): T {
    if (status >= 200 && status <= 299 && shape(json)) return json;
    throw new Inconclusive(
      `${request} on the control interface: expected a documented 2xx response, got ${status} ${this.#redactor.redact(text).slice(0, 300)}`,
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
    return responseOf(outgoing, await this.#session.send('control', outgoing), this.#redactor);
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

function endpointPath(endpointId: string): string {
  return `${ENDPOINTS}/${encodeURIComponent(endpointId)}`;
}
