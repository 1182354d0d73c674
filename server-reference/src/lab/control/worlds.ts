import type { KeyCreation } from '@hookproof/spec/control';

import { badRequest, ROOT } from '../../platform/http/api-error.ts';
import type { LabServices } from './services.ts';
import type { TenantId } from '../../platform/state/ids.ts';
import type { DeepReadonly } from '../../platform/state/read-only.ts';
import type { ReadonlyState } from '../../platform/state/state.ts';
import type { ApiKeyRecord } from '../../platform/state/tenants.ts';
import type { World } from '../../platform/state/world.ts';
import { nextId } from '../../platform/store/seed.ts';
import { createWorld } from '../world/create-world.ts';
import { findKnown, findWorld } from './find.ts';
import type { ControlRoute } from './operation.ts';

/** Routes for the default world and new, isolated worlds. */
export function worldRoutes({ store, clock }: LabServices): ControlRoute[] {
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

/** Routes to create API keys with any scope and to revoke them. */
export function keyRoutes(services: LabServices): ControlRoute[] {
  return [createRoute(services), revokeRoute(services)];
}

function createRoute({ store, clock }: LabServices): ControlRoute<KeyCreation> {
  return {
    operationId: 'createKey',
    async handle({ body: { worldId, tenant = 'own', scope, wildcard } }) {
      if ((scope === undefined) === (wildcard === undefined)) {
        throw badRequest('invalid_value', ROOT, 'must have exactly one of scope and wildcard');
      }
      const key = await store.commit((state) => {
        const tenantId = tenantOf(state, findWorld(state, worldId), tenant);
        const user = Object.values(state.users).find((one) => one.tenantId === tenantId);
        if (user === undefined) throw new Error(`Tenant ${tenantId} has no user.`);
        const made: ApiKeyRecord = {
          id: nextId(state, 'key_'),
          tenantId,
          userId: user.id,
          name: 'Created over the control interface',
          key: nextId(state, 'hpk_'),
          scope: [...(scope ?? [])],
          wildcardGranted: scope === undefined,
          createdAt: new Date(clock.now()).toISOString(),
          revokedAt: null,
        };
        state.apiKeys[made.key] = made;
        return structuredClone(made);
      });
      return { status: 201, body: key };
    },
  };
}

function tenantOf(
  state: ReadonlyState,
  world: DeepReadonly<World>,
  which: 'own' | 'other',
): TenantId {
  if (which === 'own') return world.tenantId;
  const tenants = Object.values(state.tenants).filter((one) => one.worldId === world.id);
  return tenants.find(({ id }) => id !== world.tenantId)?.id ?? world.tenantId;
}

function revokeRoute({ store, clock }: LabServices): ControlRoute {
  return {
    operationId: 'revokeKey',
    async handle({ path }) {
      await store.commit((state) => {
        const byId = Object.fromEntries(Object.values(state.apiKeys).map((key) => [key.id, key]));
        const key = findKnown(byId, path['id'] ?? '', 'id', 'API key');
        key.revokedAt ??= new Date(clock.now()).toISOString();
      });
      return { status: 204 };
    },
  };
}
