import type { ApiKeyRecord, TenantRecord, UserRecord } from '../state/tenant.ts';
import type { Seeding } from './seeding.ts';

/** A tenant under way: who it is, and who acts for it. */
export interface SeededTenant {
  readonly id: string;
  readonly userId: string;
  /** Of that person. */
  readonly email: string;
}

/** Adds a tenant with one person. */
export function seedTenant(
  seeding: Seeding,
  worldId: string,
  name: string,
  person: string,
): SeededTenant {
  const id = seeding.id('tenant_');
  const slug = `${name.toLowerCase().replaceAll(' ', '-')}-${id.slice(-6)}`;
  const tenant: TenantRecord = { id, worldId, slug, name, createdAt: seeding.hoursAgo(4000) };
  const user: UserRecord = {
    id: seeding.id('user_'),
    tenantId: id,
    email: `${person.toLowerCase().replaceAll(' ', '.')}@${slug}.example`,
    name: person,
  };
  seeding.state.tenants[id] = tenant;
  seeding.state.users[user.id] = user;
  return { id, userId: user.id, email: user.email };
}

/**
 * Adds an API key and returns its secret. An empty scope stands for a wildcard key.
 *
 * @param revokedAt - null for a key in use
 */
export function seedApiKey(
  seeding: Seeding,
  tenant: SeededTenant,
  name: string,
  scope: readonly string[],
  revokedAt: string | null = null,
): string {
  const record: ApiKeyRecord = {
    id: seeding.id('key_'),
    tenantId: tenant.id,
    userId: tenant.userId,
    name,
    key: seeding.id('hpk_'),
    scope: [...scope],
    wildcardGranted: scope.length === 0,
    createdAt: seeding.hoursAgo(3000),
    revokedAt,
  };
  seeding.state.apiKeys[record.key] = record;
  return record.key;
}
