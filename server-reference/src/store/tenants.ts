import type { ApiKey } from '@hookproof/spec/control';

import type { ApiKeyId, ApiKeySecret, TenantId, UserId, WorldId } from './ids.ts';

/** A customer of the platform. Every resource belongs to exactly one tenant. */
export interface TenantRecord {
  id: TenantId;
  worldId: WorldId;
  slug: string;
  name: string;
  createdAt: string;
}

/** A user of a tenant. */
export interface UserRecord {
  id: UserId;
  tenantId: TenantId;
  email: string;
  name: string;
}

/** An API key of a tenant and a user. */
export interface ApiKeyRecord extends ApiKey {
  id: ApiKeyId;
  tenantId: TenantId;
  userId: UserId;
  /** The secret in plain text, because these keys protect only invented data. */
  key: ApiKeySecret;
}
