import { createWorld } from '../world/create-world.ts';
import type { ControlRoute } from './control-route.ts';
import type { Services } from '../app/handler.ts';
import { findWorld } from './find-known.ts';

/** Worlds: the seeded one, and fresh ones that share nothing with it. */
export function worldRoutes({ store, clock }: Services): ControlRoute[] {
  return [
    {
      method: 'GET',
      path: '/world',
      handle: async () => ({ status: 200, body: findWorld(store.state, undefined) }),
    },
    {
      method: 'POST',
      path: '/worlds',
      bodySchema: { type: 'object', additionalProperties: false },
      handle: async () => ({
        status: 201,
        body: await store.commit((state) => createWorld(state, clock.now())),
      }),
    },
  ];
}
