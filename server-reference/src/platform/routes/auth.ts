import type { ApiKeyIdentity } from '@hookproof/spec';

import { findOwner } from '../resources/find.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { Handler, Services } from './services.ts';

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
