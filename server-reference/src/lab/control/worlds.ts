import type { WorldCreation } from '@hookproof/spec/control';

import { refusal } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import type { LabServices } from './services.ts';
import { worldRow } from '../activity/rows.ts';
import { createWorld } from '../world/create-world.ts';
import { deleteWorld } from '../world/delete-world.ts';
import { findKnown, findWorld } from './find.ts';
import type { ControlRoute } from './operation.ts';
import { pageOf } from './page.ts';

/** Routes for the default world and new, isolated worlds. */
export function worldRoutes(services: LabServices): ControlRoute[] {
  const { store } = services;
  return [
    {
      operationId: 'getWorld',
      handle: async ({ query: { worldId } }) => ({
        status: 200,
        body: findWorld(store.state, worldId),
      }),
    },
    createWorldRoute(services),
    {
      operationId: 'listWorlds',
      async handle({ page }) {
        const worlds = [...store.state.worlds.values()];
        return { status: 200, body: pageOf(worlds, page, worldRow) };
      },
    },
    deleteWorldRoute(services),
  ];
}

function createWorldRoute({ store, clock }: LabServices): ControlRoute<WorldCreation> {
  return {
    operationId: 'createWorld',
    async handle({ body }) {
      const world = await store.commit((state) => createWorld(state, clock.now(), body));
      return { status: 201, body: world };
    },
  };
}

function deleteWorldRoute({ store, sender, runWorker }: LabServices): ControlRoute {
  return {
    operationId: 'deleteWorld',
    async handle({ path }) {
      const { deliveries, runIds } = await store.commit((state) => {
        const { id } = findKnown(state.worlds, path['id'] ?? '', 'id', 'world');
        if (id === state.defaultWorldId) throw isDefault();
        return deleteWorld(state, id);
      });
      sender.enqueue(deliveries);
      runWorker.forget(runIds);
      return { status: 204 };
    },
  };
}

function isDefault(): ApiError {
  return refusal('default_world', 'id', 'must not be the default world, which cannot be deleted');
}
