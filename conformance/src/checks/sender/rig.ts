import type { RunStatus } from '@hookproof/spec';
import type { RunCreation } from '@hookproof/spec/control';

import type { CheckContext } from '../../check-kit/check.ts';
import type { ControlledRun, WebhookEndpoint, World } from '../../clients/control-client.ts';
import { showBody } from '../../http/exchange.ts';
import type { HttpExchange } from '../../http/exchange.ts';
import { CouldNotRun, Inconclusive, Violation } from '../../verdict/findings.ts';
import type { ReceivedDelivery, ResponseScript } from '../../listener/delivery.ts';
import { openListener } from '../../listener/listener.ts';
import type { Listener } from '../../listener/listener.ts';
import { chooseWaitStrategy } from './wait-strategy.ts';
import type { WaitStrategy } from './wait-strategy.ts';

/** A world with one endpoint, which is the suite's listener. */
export interface SenderRig {
  readonly world: World;
  readonly endpoint: WebhookEndpoint;
  readonly listener: Listener;
  createRun(run?: Omit<RunCreation, 'worldId'>): Promise<ControlledRun>;
  move(run: ControlledRun, ...statuses: readonly RunStatus[]): Promise<void>;
  /** All deliveries of events of a run, retries included. */
  about(run: ControlledRun): readonly ReceivedDelivery[];
  /** Waits for a precondition: advances a virtual clock, waits on a real one. Inconclusive on timeout. */
  until(what: string, condition: () => boolean): Promise<void>;
  /** The same for what the check judges: a violation on timeout. */
  demand(what: string, condition: () => boolean): Promise<void>;
  /** A delivery as a violation shows it. */
  exchange(delivery: ReceivedDelivery): HttpExchange;
}

export const ACCEPT: ResponseScript = () => ({ status: 204 });

/** Opens listener, world and endpoint, runs the check, and removes endpoint and listener. */
export async function withRig(
  context: CheckContext,
  run: (rig: SenderRig) => Promise<void>,
  options: {
    readonly script?: ResponseScript;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<void> {
  const { control } = context;
  const listener = await openListener(options.script ?? ACCEPT, () => context.now());
  try {
    const world = await control.createWorld();
    const { headers = {} } = options;
    const endpoint = await control.createEndpoint({
      worldId: world.id,
      url: listener.url,
      headers,
    });
    try {
      await run(rigOf(context, listener, world, endpoint));
    } finally {
      await control.deleteEndpoint(endpoint.id);
    }
  } finally {
    await listener.close();
  }
}

function rigOf(
  context: CheckContext,
  listener: Listener,
  world: World,
  endpoint: WebhookEndpoint,
): SenderRig {
  const { control } = context;
  let waitStrategy: Promise<WaitStrategy> | undefined;
  /** Null when the condition holds in time, else how long it did not. */
  const missed = async (condition: () => boolean): Promise<string | null> => {
    if (condition()) return null;
    waitStrategy ??= chooseWaitStrategy(context);
    const waited = await (await waitStrategy).until(condition, listener);
    if (condition()) return null;
    if (context.signal.aborted)
      throw new Inconclusive('Cannot judge: the time of the attempt is over.');
    return `within ${waited}`;
  };
  return {
    world,
    endpoint,
    listener,
    createRun: (run = {}) =>
      control.createRun({
        automationId: automationOf(world, 'workflowId'),
        ...run,
        worldId: world.id,
      }),
    async move(run, ...statuses) {
      for (const status of statuses) await control.moveRun(run.id, { status });
    },
    about: (run) => listener.deliveries.filter(({ event }) => runOf(event)['id'] === run.id),
    async until(what, condition) {
      const missing = await missed(condition);
      if (missing !== null) throw new Inconclusive(`Cannot judge: no ${what} ${missing}.`);
    },
    async demand(what, condition) {
      const missing = await missed(condition);
      if (missing !== null) throw new Violation({ expected: what, actual: `none ${missing}` });
    },
    exchange: ({ method, url, headers, body, response }) => ({
      sentBy: 'target',
      request: {
        method,
        url,
        headers: headers.map(([name, value]) => [name, context.redact(value)]),
        body: showBody(body, (text) => context.redact(text)),
      },
      response:
        response === 'reset' || response === 'hold'
          ? null
          : {
              status: response.status,
              headers: Object.entries(response.headers ?? {}),
              body: null,
            },
    }),
  };
}

/** The id of an automation of the world, for new runs. */
export function automationOf(world: World, fixture: 'workflowId' | 'agentId'): string {
  const id = world.fixtures[fixture];
  if (id !== undefined) return id;
  throw new CouldNotRun(
    `no fixture ${fixture} in the world of the control interface`,
    `return fixtures.${fixture} from POST /worlds of the control interface`,
  );
}

/** `data` of an event; empty without it. */
export function dataOf(
  event: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object(event['data']);
}

/** `data.run` of an event; empty without it. */
export function runOf(event: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object(dataOf(event)['run']);
}
