import type { RunCreation, RunMove } from '@hookproof/spec/control';

import { commitRunChange } from '../runs/commit-run-change.ts';
import { moveRun } from '../runs/move-run.ts';
import { runSnapshot } from '../runs/run-snapshot.ts';
import { refuseTransition } from '../runs/refuse-transition.ts';
import type { ControlRoute } from './control-route.ts';
import type { Services } from '../app/handler.ts';
import { findKnown } from './find-known.ts';
import { createGivenRun } from './run-creation.ts';

/** Runs: create them and move them; the events follow in the same commit. */
export function runRoutes(services: Services): ControlRoute[] {
  return [createRoute(services), moveRoute(services), readRoute(services)];
}

function createRoute(services: Services): ControlRoute<RunCreation> {
  return {
    operationId: 'createRun',
    handle: async ({ body }) => ({ status: 201, body: await createGivenRun(services, body) }),
  };
}

function moveRoute(services: Services): ControlRoute<RunMove> {
  return {
    operationId: 'moveRun',
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
    operationId: 'readRun',
    async handle({ path }) {
      const run = findKnown(store.state.runs, path['runId'] ?? '', 'runId', 'run');
      return { status: 200, body: runSnapshot(run) };
    },
  };
}
