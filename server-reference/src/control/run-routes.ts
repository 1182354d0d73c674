import { RUN_STATUSES } from '@hookproof/spec';
import type { RunSnapshot } from '@hookproof/spec';

import { ApiError, issue } from '../app/api-error.ts';
import { createRun } from '../runs/create-run.ts';
import type { RunChange } from '../runs/create-run.ts';
import { moveRun } from '../runs/move-run.ts';
import type { RunMove } from '../runs/move-run.ts';
import { runSnapshot } from '../runs/run-snapshot.ts';
import { RunTransitionError } from '../runs/run-transitions.ts';
import type { RunOrigin, RunStatus } from '../state/run.ts';
import type { State } from '../store/state.ts';
import type { ControlRoute } from './control-route.ts';
import type { Services } from '../app/handler.ts';
import { findKnown, findWorld } from './find-known.ts';

interface RunCreation {
  readonly worldId?: string;
  readonly automationId?: string;
  readonly origin?: RunOrigin;
  readonly triggerType?: string;
  readonly status?: RunStatus;
  readonly output?: unknown;
}

/** Runs: create them and move them; the events follow in the same commit. */
export function runRoutes(services: Services): ControlRoute[] {
  return [createRoute(services), moveRoute(services), readRoute(services)];
}

function createRoute(services: Services): ControlRoute<RunCreation> {
  return {
    method: 'POST',
    path: '/runs',
    bodySchema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        worldId: { type: 'string' },
        automationId: { type: 'string' },
        origin: { type: 'string', enum: ['top-level', 'invoke-workflow', 'evaluation'] },
        triggerType: { type: 'string', minLength: 1, maxLength: 100 },
        status: { type: 'string', enum: RUN_STATUSES },
        output: true,
      },
    },
    async handle({ body: { worldId, automationId, origin, triggerType, status, output } }) {
      const snapshot = await change(services, (state) => {
        const world = findWorld(state, worldId);
        const automation = findKnown(
          state.automations,
          automationId ?? world.fixtures.workflowId,
          'automationId',
          'automation of this world',
          ({ tenantId }) => state.tenants[tenantId]?.worldId === world.id,
        );
        return createRun(state, services.clock.now(), {
          worldId: world.id,
          automation,
          origin: origin ?? 'top-level',
          triggerType: triggerType ?? 'api',
          status,
          output,
        });
      });
      return { status: 201, body: snapshot };
    },
  };
}

function moveRoute(services: Services): ControlRoute<RunMove> {
  return {
    method: 'POST',
    path: '/runs/:runId/moves',
    bodySchema: {
      type: 'object',
      additionalProperties: false,
      required: ['status'],
      properties: { status: { type: 'string', enum: RUN_STATUSES }, output: true },
    },
    async handle({ path, body }) {
      const snapshot = await change(services, (state) => {
        const run = findKnown(state.runs, path['runId'] ?? '', 'runId', 'run');
        return moveRun(state, services.clock.now(), run, body);
      }).catch((error: unknown) => {
        if (!(error instanceof RunTransitionError)) throw error;
        throw new ApiError(409, [issue('invalid_transition', 'status', error.message)]);
      });
      return { status: 200, body: snapshot };
    },
  };
}

function readRoute({ store }: Services): ControlRoute {
  return {
    method: 'GET',
    path: '/runs/:runId',
    async handle({ path }) {
      const run = findKnown(store.state.runs, path['runId'] ?? '', 'runId', 'run');
      return { status: 200, body: runSnapshot(run) };
    },
  };
}

/** Commits a change of a run, then hands its deliveries to the sender: never before they are durable. */
async function change(
  { store, sender }: Services,
  mutate: (state: State) => RunChange,
): Promise<RunSnapshot> {
  const { snapshot, deliveries } = await store.commit((state) => {
    const { run, deliveries: added } = mutate(state);
    return { snapshot: runSnapshot(run), deliveries: added };
  });
  sender.enqueue(deliveries);
  return snapshot;
}
