import type { KeyCreation } from '@hookproof/spec/control';

import { isoTime } from '../../clock/clock.ts';
import { ROOT, invalidValue, notFound } from '../../errors.ts';
import type { TenantId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { nextId } from '../../store/seed.ts';
import type { ReadonlyState } from '../../store/state.ts';
import type { ApiKeyRecord } from '../../store/tenants.ts';
import type { WorldRecord } from '../../store/world.ts';
import { findWorld } from './find.ts';
import type { ControlRoute } from './operation.ts';
import { pageOf } from './page.ts';
import type { LabServices } from './services.ts';

/** Routes to create API keys with any scope, to list and to revoke them. */
export function keyRoutes(services: LabServices): ControlRoute[] {
  return [createRoute(services), listRoute(services), revokeRoute(services)];
}

function createRoute({ store, clock }: LabServices): ControlRoute<KeyCreation> {
  return {
    operationId: 'createKey',
    async handle({ body: { worldId, tenant = 'own', scope, wildcard } }) {
      if ((scope === undefined) === (wildcard === undefined)) {
        throw invalidValue(ROOT, 'must have exactly one of scope and wildcard');
      }
      const key = await store.commit((state) => {
        const tenantId = tenantOf(state, findWorld(state, worldId), tenant);
        const user = [...state.users.values()].find((one) => one.tenantId === tenantId);
        if (user === undefined) throw new Error(`Tenant ${tenantId} has no user.`);
        const made: ApiKeyRecord = {
          id: nextId(state, 'key_'),
          tenantId,
          userId: user.id,
          name: 'Created over the control interface',
          key: nextId(state, 'hpk_'),
          scope: [...(scope ?? [])],
          wildcardGranted: scope === undefined,
          createdAt: isoTime(clock.now()),
          revokedAt: null,
        };
        state.apiKeys.add(made);
        return structuredClone(made);
      });
      return { status: 201, body: key };
    },
  };
}

function listRoute({ store }: LabServices): ControlRoute {
  return {
    operationId: 'listKeys',
    async handle({ query: { worldId }, page }) {
      const { apiKeys, tenants } = store.state;
      const found = [...apiKeys.values()].filter(
        ({ tenantId }) => worldId === undefined || tenants.get(tenantId)?.worldId === worldId,
      );
      return { status: 200, body: pageOf(found, page, (key) => key) };
    },
  };
}

function tenantOf(
  state: ReadonlyState,
  world: DeepReadonly<WorldRecord>,
  which: 'own' | 'other',
): TenantId {
  if (which === 'own') return world.tenantId;
  const tenants = [...state.tenants.values()].filter((one) => one.worldId === world.id);
  return tenants.find(({ id }) => id !== world.tenantId)?.id ?? world.tenantId;
}

function revokeRoute({ store, clock }: LabServices): ControlRoute {
  return {
    operationId: 'revokeKey',
    async handle({ path }) {
      await store.commit((state) => {
        const found = [...state.apiKeys.values()].find(({ id }) => id === path['id']);
        if (found === undefined) throw notFound('id', 'no API key has this id');
        const key = state.apiKeys.edit(found.key);
        key.revokedAt ??= isoTime(clock.now());
      });
      return { status: 204 };
    },
  };
}
