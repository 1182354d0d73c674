import { createWorld } from '../world/create-world.ts';
import type { ControlRoute } from './control-route.ts';
import type { Services } from '../app/handler.ts';
import { findWorld } from './find-known.ts';

/** Worlds: the seeded one, and fresh ones that share nothing with it. */
export function worldRoutes({ store, clock }: Services): ControlRoute[] {
  return [
    {
      operationId: 'getWorld',
      handle: async () => ({ status: 200, body: findWorld(store.state, undefined) }),
    },
    {
      operationId: 'createWorld',
      handle: async () => ({
        status: 201,
        body: await store.commit((state) => createWorld(state, clock.now())),
      }),
    },
  ];
}
