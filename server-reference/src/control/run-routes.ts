import { RUN_STATUSES } from '@hookproof/spec';

import { commitRunChange } from '../runs/commit-run-change.ts';
import { moveRun } from '../runs/move-run.ts';
import type { RunMove } from '../runs/move-run.ts';
import { runSnapshot } from '../runs/run-snapshot.ts';
import { refuseTransition } from '../runs/refuse-transition.ts';
import type { ControlRoute } from './control-route.ts';
import type { Services } from '../app/handler.ts';
import { findKnown } from './find-known.ts';
import { RUN_CREATION_SCHEMA, createGivenRun } from './run-creation.ts';
import type { RunCreation } from './run-creation.ts';

/** Runs: create them and move them; the events follow in the same commit. */
export function runRoutes(services: Services): ControlRoute[] {
  return [createRoute(services), moveRoute(services), readRoute(services)];
}

function createRoute(services: Services): ControlRoute<RunCreation> {
  return {
    method: 'POST',
    path: '/runs',
    bodySchema: RUN_CREATION_SCHEMA,
    handle: async ({ body }) => ({ status: 201, body: await createGivenRun(services, body) }),
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
      const snapshot = await commitRunChange(services, (state) => {
        const run = findKnown(state.runs, path['runId'] ?? '', 'runId', 'run');
        return moveRun(state, services.clock.now(), run, body);
      }).catch(refuseTransition('status', 'CONTROL.md has the table of the moves.'));
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
