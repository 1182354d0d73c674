import type { Identity } from '../discover/discovery.ts';

/** Tenant and scope in a few words. */
export function identityText({ tenantSlug, scope, wildcardGranted }: Identity): string {
  const granted = wildcardGranted ? ['wildcard key', ...scope] : scope;
  return `${tenantSlug} (${granted.length === 0 ? 'no scope' : granted.join(', ')})`;
}
