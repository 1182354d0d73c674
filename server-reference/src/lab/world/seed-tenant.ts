import type { ApiKeyRecord, TenantRecord, UserRecord } from '../../platform/state/tenants.ts';
import type { Seeding } from './seeding.ts';

/** A tenant under way: who it is, who acts for it, and who reviews. */
export interface SeededTenant {
  readonly id: string;
  readonly userId: string;
  readonly reviewer: UserRecord;
}

/** Adds a tenant with two people. */
export function seedTenant(
  seeding: Seeding,
  worldId: string,
  name: string,
  people: readonly [person: string, reviewer: string],
): SeededTenant {
  const { state } = seeding;
  const id = seeding.id('tenant_');
  const slug = `${slugOf(name)}-${id.slice(-6)}`;
  const tenant: TenantRecord = { id, worldId, slug, name, createdAt: seeding.hoursAgo(4000) };
  state.tenants[id] = tenant;
  const seedUser = (person: string): UserRecord => {
    const email = `${slugOf(person)}@${slug}.example`;
    const user: UserRecord = { id: seeding.id('user_'), tenantId: id, email, name: person };
    state.users[user.id] = user;
    return user;
  };
  const [person, reviewer] = people;
  return { id, userId: seedUser(person).id, reviewer: seedUser(reviewer) };
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
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
