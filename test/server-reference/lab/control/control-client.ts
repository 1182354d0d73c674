import type { ErrorEnvelope, RunSnapshot } from '@hookproof/spec';
import type { Event } from '@hookproof/spec/control';
import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer, ServerOptions, VirtualClock } from '@hookproof/server-reference';
import { expect, onTestFinished } from 'vitest';

import type { Delivery } from '../../../../server-reference/src/lab/control/deliveries.ts';
import type { WebhookEndpointRecord } from '../../../../server-reference/src/store/deliveries.ts';
import { openApp } from '../../open-app.ts';
import type { OpenApp } from '../../open-app.ts';
import { send } from '../../send.ts';
import { assertControl } from './control-contract.ts';

const CONTROL_PREFIX = '/_control';

export const START = Date.parse('2026-07-01T00:00:00.000Z');

interface ControlCall {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'OPTIONS';
  readonly token?: string | null;
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
}

export interface ControlResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: unknown;
}

/** Calls a control interface; every response is compared with control.yaml. */
export interface ControlClient {
  call(path: string, call?: ControlCall): Promise<ControlResponse>;
  /** Fails the test unless the response has the expected status. */
  expectOk<T>(status: number, path: string, json?: unknown): Promise<T>;
  expectError(status: number, path: string, call?: ControlCall): Promise<ErrorEnvelope>;
  endpoint(url: string, more?: object): Promise<WebhookEndpointRecord>;
  run(more?: object): Promise<RunSnapshot>;
  move(runId: string, status: string, more?: object): Promise<RunSnapshot>;
  deliveries(query?: string): Promise<Delivery[]>;
  onlyDelivery(query?: string): Promise<Delivery>;
  onlyEvent(): Promise<Event>;
  /** Waits until each delivery that exists and matches is settled. */
  settled(query?: string, timeoutMilliseconds?: number): Promise<Delivery[]>;
  advance(milliseconds: number): Promise<void>;
  idle(): Promise<void>;
}

type ControlAddress =
  | Pick<ReferenceServer, 'controlUrl' | 'controlToken'>
  | Pick<OpenApp, 'listener' | 'controlToken'>;

/** The control interface of a server, or of an app. */
export function controlClient(address: ControlAddress): ControlClient {
  const [target, prefix] =
    'listener' in address
      ? ([address.listener, CONTROL_PREFIX] as const)
      : ([address.controlUrl, ''] as const);

  async function call(path: string, options: ControlCall = {}): Promise<ControlResponse> {
    const { json, token = address.controlToken } = options;
    const method = options.method ?? (json === undefined ? 'GET' : 'POST');
    const { status, headers, bytes } = await send(target, {
      method,
      path: prefix + path,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      body: json === undefined ? undefined : JSON.stringify(json),
    });
    const body: unknown = bytes.length === 0 ? undefined : JSON.parse(bytes.toString());
    const received = { status, headers, body };
    assertControl({ method, path, sent: json, ...received });
    return received;
  }

  async function expectOk<T>(status: number, path: string, json?: unknown): Promise<T> {
    const received = await call(path, json === undefined ? {} : { json });
    expect(received).toMatchObject({ status });
    return received.body as T;
  }

  async function deliveries(query = ''): Promise<Delivery[]> {
    return (await expectOk<{ data: Delivery[] }>(200, `/deliveries${query}`)).data;
  }

  return {
    call,
    expectOk,
    deliveries,
    async expectError(status, path, options) {
      const received = await call(path, options);
      expect(received).toMatchObject({ status });
      const envelope = received.body as ErrorEnvelope;
      expect(envelope.requestId).toBe(received.headers['x-request-id']);
      expect(envelope.issues.length).toBeGreaterThan(0);
      return envelope;
    },
    endpoint: (url, more) => expectOk(201, '/webhook-endpoints', { url, ...more }),
    run: (more) => expectOk(201, '/runs', { ...more }),
    move: (runId, status, more) => expectOk(200, `/runs/${runId}/moves`, { status, ...more }),
    async onlyDelivery(query) {
      const found = await deliveries(query);
      expect(found).toHaveLength(1);
      return found[0] ?? expect.unreachable();
    },
    async onlyEvent() {
      const { data } = await expectOk<{ data: Event[] }>(200, '/events');
      expect(data).toHaveLength(1);
      return data[0] ?? expect.unreachable();
    },
    async settled(query, timeoutMilliseconds = 60_000) {
      for (;;) {
        const found = await deliveries(query);
        const pending = found.find(({ status }) => status === 'pending');
        if (pending === undefined) return found;
        await expectOk(200, '/wait', { for: 'delivery', id: pending.id, timeoutMilliseconds });
      }
    },
    async advance(milliseconds) {
      await expectOk(200, '/clock/advance', { milliseconds });
    },
    async idle() {
      await expectOk(200, '/wait', { for: 'idle' });
    },
  };
}

/** For tests whose endpoint hangs: `advance` gives up soon. */
export function impatientClock(now: number = START): VirtualClock {
  return virtualClock({ now, stallTimeoutMilliseconds: 200 });
}

/** Starts a server in memory on a virtual clock, with its control interface, for one test. */
export async function startControlled(
  options: Partial<ServerOptions> = {},
): Promise<ControlClient & { readonly server: ReferenceServer }> {
  const server = await createServer({
    store: { kind: 'memory' },
    clock: virtualClock({ now: START, stallTimeoutMilliseconds: 30_000 }),
    ...options,
  });
  onTestFinished(() => server.close());
  return { server, ...controlClient(server) };
}

/** Opens an app with its control interface, for one test. */
export async function openControlled(
  options: Parameters<typeof openApp>[0] = {},
): Promise<ControlClient & { readonly app: OpenApp }> {
  const app = await openApp({ clock: virtualClock({ now: START }), ...options });
  onTestFinished(() => app.close());
  return { app, ...controlClient(app) };
}
