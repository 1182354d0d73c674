import type { ApiKeyIdentity } from '@hookproof/spec';

import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState } from '../../store/state.ts';
import type { ApiKeyRecord, TenantRecord, UserRecord } from '../../store/tenants.ts';
import type { Handler, Services } from '../services.ts';

/** `GET /v1/auth/check`: the tenant, user and scopes of the calling key. */
export function checkAuth({ store }: Services): Handler {
  return async function handle({ key }): Promise<DeepReadonly<ApiKeyIdentity>> {
    const { tenant, user } = findOwner(store.state, key);
    return {
      ok: true,
      tenantId: tenant.id,
      tenantSlug: tenant.slug,
      tenantName: tenant.name,
      userId: user.id,
      keyId: key.id,
      email: user.email,
      name: user.name,
      scope: key.scope,
      wildcardGranted: key.wildcardGranted,
    };
  };
}

/** Returns the tenant and the user of a key. */
export function findOwner(
  { tenants, users }: ReadonlyState,
  key: DeepReadonly<ApiKeyRecord>,
): { readonly tenant: DeepReadonly<TenantRecord>; readonly user: DeepReadonly<UserRecord> } {
  const tenant = tenants.get(key.tenantId);
  const user = users.get(key.userId);
  if (tenant === undefined || user === undefined) {
    throw new Error(`API key ${key.id} has no tenant or no user.`);
  }
  return { tenant, user };
}
