import type { ApiKeySecret } from '../../store/ids.ts';
import type { TenantRecord, UserRecord } from '../../store/tenants.ts';
import type { World } from '../../store/world.ts';
import type { SeedApiKey, SeedTenant } from './generated/seed-data.ts';
import { SEED_DATA } from './seed-data.ts';
import type { SeededTenant, Seeding } from './seeding.ts';

/** Adds a tenant with its two users. */
export function seedTenant(seeding: Seeding, { name, user, reviewer }: SeedTenant): SeededTenant {
  const id = seeding.id('tenant_');
  const slug = `${slugOf(name)}-${id.slice(-6)}`;
  const createdAt = seeding.hoursAgo(4000);
  const tenant: TenantRecord = { id, worldId: seeding.worldId, slug, name, createdAt };
  seeding.state.tenants.add(tenant);
  return {
    id,
    userId: seedUser(seeding, tenant, user).id,
    reviewer: seedUser(seeding, tenant, reviewer),
  };
}

/** Adds the API keys of a world and returns their secrets. */
export function seedApiKeys(
  seeding: Seeding,
  tenant: SeededTenant,
  otherTenant: SeededTenant,
): World['keys'] {
  const { keys } = SEED_DATA.tenants;
  return {
    wildcard: seedApiKey(seeding, tenant, keys.wildcard),
    reviewer: seedApiKey(seeding, tenant, keys.reviewer),
    ocr: seedApiKey(seeding, tenant, keys.ocr),
    workflow: seedApiKey(seeding, tenant, keys.workflow),
    revoked: seedApiKey(seeding, tenant, keys.revoked),
    otherTenant: seedApiKey(seeding, otherTenant, keys.otherTenant),
  };
}

function seedUser({ id, state }: Seeding, tenant: TenantRecord, name: string): UserRecord {
  const email = `${slugOf(name)}@${tenant.slug}.example`;
  const user: UserRecord = { id: id('user_'), tenantId: tenant.id, email, name };
  state.users.add(user);
  return user;
}

function seedApiKey(
  { id, hoursAgo, state }: Seeding,
  tenant: SeededTenant,
  { name, scope, revokedHoursAgo }: SeedApiKey,
): ApiKeySecret {
  const keyId = id('key_');
  const key = id('hpk_');
  state.apiKeys.add({
    id: keyId,
    tenantId: tenant.id,
    userId: tenant.userId,
    name,
    key,
    scope: [...scope],
    wildcardGranted: scope.length === 0,
    createdAt: hoursAgo(3000),
    revokedAt: revokedHoursAgo === undefined ? null : hoursAgo(revokedHoursAgo),
  });
  return key;
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}
