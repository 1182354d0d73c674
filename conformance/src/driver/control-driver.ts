import type { RunStatus } from '@hookproof/spec';

import type { ControlClient, World } from '../clients/control-client.ts';
import type { Listener } from '../listener/listener.ts';
import type { ListenerServer } from '../listener/listener-server.ts';
import { CouldNotRun, Inconclusive, NoResponse } from '../verdict/findings.ts';
import type { DrivenEndpoint, SenderDriver, WantedRun } from './sender-driver.ts';
import { chooseWaitStrategy } from './wait-strategy.ts';
import type { WaitStrategy, WaitTimes } from './wait-strategy.ts';

/** Drives a sender through the control interface of its deployment: a world and an endpoint for each check. */
export function createControlDriver(
  control: ControlClient,
  listeners: () => Promise<ListenerServer>,
  times: WaitTimes,
): SenderDriver {
  const worlds = new WeakMap<DrivenEndpoint, World>();
  return {
    async open({ script, headers, query, sameTenant }) {
      const listener = (await listeners()).open(script, query);
      try {
        const world =
          sameTenant === undefined ? await control.createWorld() : worldOf(sameTenant, worlds);
        const { id, url, secret } = await control.createWebhookEndpoint({
          worldId: world.id,
          url: listener.url,
          headers,
        });
        const driven = drivenEndpoint(control, world, { id, url, secret }, listener, times);
        worlds.set(driven, world);
        return driven;
      } catch (error) {
        await listener.close();
        throw error;
      }
    },
  };
}

function worldOf(driven: DrivenEndpoint, worlds: WeakMap<DrivenEndpoint, World>): World {
  const world = worlds.get(driven);
  if (world === undefined) throw new TypeError('sameTenant expects an endpoint of the same driver');
  return world;
}

function drivenEndpoint(
  control: ControlClient,
  world: World,
  endpoint: DrivenEndpoint['endpoint'],
  listener: Listener,
  times: WaitTimes,
): DrivenEndpoint {
  let waitStrategy: Promise<WaitStrategy> | undefined;
  let isRemoved = false;
  const remove = async (): Promise<void> => {
    await control.deleteWebhookEndpoint({ id: endpoint.id });
    isRemoved = true;
  };
  return {
    endpoint,
    listener,
    tenantId: world.tenantId,
    key: { value: world.keys.wildcard },
    createRun: ({ type = 'workflow', ...run }: WantedRun = {}) =>
      control.createRun({ automationId: automationOf(world, type), ...run, worldId: world.id }),
    move: (run, ...statuses) => moveRun(control, run.id, statuses),
    sendTest: async () => (await control.sendTestEvent({ id: endpoint.id })).eventId,
    async redeliver({ id: runId }) {
      const { data } = await control.listDeliveries({ endpointId: endpoint.id, runId });
      const [delivery] = data;
      if (delivery === undefined) {
        throw new Inconclusive(
          `Cannot judge: the control interface lists no delivery of run ${runId}.`,
        );
      }
      await control.waitForIdle();
      const { eventId } = delivery;
      const deliveriesBefore = listener.deliveries.length;
      const arrivedBefore = listener.deliveries.filter(
        ({ event }) => event['id'] === eventId,
      ).length;
      await control.redeliver({ id: delivery.id });
      return { eventId, arrivedBefore, deliveriesBefore };
    },
    async disable() {
      await control.changeWebhookEndpoint({ id: endpoint.id, enabled: false });
    },
    remove,
    clock: () => control.getClock(),
    async wait(condition) {
      waitStrategy ??= chooseWaitStrategy(control, endpoint.id, times);
      return (await waitStrategy).until(condition, listener);
    },
    async close() {
      try {
        if (!isRemoved) await remove();
      } finally {
        await listener.close();
      }
    },
  };
}

/** Moves a run until the deployment refuses a move. Throws the refusal of the first one. */
async function moveRun(
  control: ControlClient,
  runId: string,
  statuses: readonly RunStatus[],
): Promise<readonly RunStatus[]> {
  const made: RunStatus[] = [];
  for (const status of statuses) {
    try {
      await control.moveRun({ runId, status });
    } catch (error) {
      const isRefused = error instanceof Inconclusive && !(error instanceof NoResponse);
      if (made.length === 0 || !isRefused) throw error;
      break;
    }
    made.push(status);
  }
  return made;
}

/** The id of an automation of the world, for new runs. */
function automationOf({ fixtures }: World, type: 'workflow' | 'agent'): string {
  const fixture = `${type}Id` as const;
  const id = fixtures[fixture];
  if (id !== undefined) return id;
  throw new CouldNotRun(
    `no fixture ${fixture} in the world of the control interface`,
    `return fixtures.${fixture} from POST /worlds of the control interface`,
  );
}
