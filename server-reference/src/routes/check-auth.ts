import type { ApiKeyIdentity } from '@hookproof/spec';

import type { Handler, Services } from '../app/handler.ts';
import { find } from '../store/find.ts';

/** `GET /v1/auth/check`: who the calling key speaks for. */
export function checkAuth({ store }: Services): Handler {
  return async function handle({ key }): Promise<ApiKeyIdentity> {
    const tenant = find(store.state.tenants, key.tenantId);
    const user = find(store.state.users, key.userId);
    if (tenant === undefined || user === undefined) {
      throw new Error(`the key ${key.id} stands for nobody`);
    }
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
