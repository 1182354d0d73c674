import type { ApiResponse } from './api-client.ts';
import type { ControlClient, WebhookEndpoint, World } from './control-client.ts';
import type { HeaderPair } from '../verdict/exchange.ts';
import { Inconclusive, NotApplicable } from '../verdict/findings.ts';
import { responseOf } from './response.ts';
import {
  isClock,
  isDelivery,
  isDeliveryList,
  isEndpoint,
  isLimits,
  isRun,
  isSentTest,
  isWorld,
} from './control-shapes.ts';
import type { Shape } from './control-shapes.ts';
import type { GateSession } from '../wire/gate.ts';
import { keyVariable } from '../redaction/redactor.ts';
import type { Redactor } from '../redaction/redactor.ts';

/** The control interface, as the options name it. */
export interface ControlTarget {
  readonly url: string;
  readonly token: string;
}

/** Statuses that answer an operation which is not there. */
const ABSENT = new Set([404, 405, 501]);

/** The control client of one attempt. Keys and secrets that it is told are redacted from then on. */
export function createControlClient(
  target: ControlTarget,
  session: GateSession,
  redactor: Redactor,
): ControlClient {
  const send = async (method: string, path: string, json?: unknown): Promise<ApiResponse> => {
    const type: HeaderPair[] = json === undefined ? [] : [['content-type', 'application/json']];
    const outgoing = {
      method,
      url: `${target.url}${path}`,
      headers: [['authorization', `Bearer ${target.token}`], ...type] as const,
      body: json === undefined ? null : Buffer.from(JSON.stringify(json)),
    };
    return responseOf(outgoing, await session.send('control', outgoing), redactor);
  };

  const ask = async <T>(shape: Shape<T>, method: string, path: string, json?: unknown) =>
    agreed(shape, await send(method, path, json), `${method} ${path}`);

  /** For what came later: a control interface may lack it. */
  const askIfThere = async <T>(shape: Shape<T>, method: string, path: string, json?: unknown) => {
    const response = await send(method, path, json);
    if (ABSENT.has(response.status)) {
      throw new NotApplicable(`the control interface has no ${method} ${path}`);
    }
    return agreed(shape, response, `${method} ${path}`);
  };

  const waitFor = async <T>(shape: Shape<T>, what: object): Promise<T | null> => {
    const response = await send('POST', '/wait', what);
    return response.status === 408 ? null : agreed(shape, response, 'POST /wait');
  };

  const agreed = <T>(shape: Shape<T>, response: ApiResponse, request: string): T => {
    if (response.status >= 200 && response.status <= 299 && shape(response.json))
      return response.json;
    const text = redactor.redact(response.text).slice(0, 300);
    throw new Inconclusive(
      `the control interface answered ${request} with ${response.status} ${text}`,
    );
  };

  const tellWorld = (world: World): World => {
    for (const [name, key] of Object.entries(world.keys)) {
      redactor.add(keyVariable(name), key);
    }
    return world;
  };
  const tellEndpoint = (endpoint: WebhookEndpoint): WebhookEndpoint => {
    redactor.add('HOOKPROOF_ENDPOINT_SECRET', endpoint.secret);
    return endpoint;
  };
  const id = encodeURIComponent;
  const endpoints = '/webhook-endpoints';

  return {
    world: async () => tellWorld(await ask(isWorld, 'GET', '/world')),
    createWorld: async () => tellWorld(await ask(isWorld, 'POST', '/worlds', {})),
    createRun: (run = {}) => ask(isRun, 'POST', '/runs', run),
    run: (runId) => ask(isRun, 'GET', `/runs/${id(runId)}`),
    moveRun: (runId, move) => ask(isRun, 'POST', `/runs/${id(runId)}/moves`, move),
    createEndpoint: async (endpoint) =>
      tellEndpoint(await ask(isEndpoint, 'POST', endpoints, endpoint)),
    updateEndpoint: async (endpointId, change) =>
      tellEndpoint(await ask(isEndpoint, 'PATCH', `${endpoints}/${id(endpointId)}`, change)),
    deleteEndpoint: async (endpointId) => {
      await ask(isEmpty, 'DELETE', `${endpoints}/${id(endpointId)}`);
    },
    sendTest: (endpointId) => ask(isSentTest, 'POST', `${endpoints}/${id(endpointId)}/test`),
    deliveries: async (filter) => {
      const query = new URLSearchParams(Object.entries(filter)).toString();
      return (await ask(isDeliveryList, 'GET', `/deliveries?${query}`)).data;
    },
    redeliver: (deliveryId) => ask(isDelivery, 'POST', `/deliveries/${id(deliveryId)}/redeliver`),
    clock: () => ask(isClock, 'GET', '/clock'),
    advanceClock: (milliseconds) => ask(isClock, 'POST', '/clock/advance', { milliseconds }),
    limits: () => askIfThere(isLimits, 'GET', '/limits'),
    changeLimits: (change) => askIfThere(isLimits, 'PATCH', '/limits', change),
    injectFault: async ({ status, ...match }) => {
      await askIfThere(isSomething, 'POST', '/faults', { match, times: 1, effect: { status } });
    },
    waitForDelivery: (deliveryId, options) =>
      waitFor(isDelivery, { for: 'delivery', id: deliveryId, ...options }),
    waitForRun: (runId, options) => waitFor(isRun, { for: 'run', id: runId, ...options }),
    waitForIdle: async (timeoutMilliseconds = 5_000) =>
      (await waitFor(isSomething, { for: 'idle', timeoutMilliseconds })) !== null,
  };
}

const isEmpty: Shape<undefined> = (value): value is undefined => value === undefined;
const isSomething: Shape<object> = (value): value is object =>
  typeof value === 'object' && value !== null;
