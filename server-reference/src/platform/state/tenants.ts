/** A customer of the platform. Every resource belongs to exactly one. */
export interface TenantRecord {
  id: string;
  worldId: string;
  slug: string;
  name: string;
  createdAt: string;
}

/** A person of a tenant. */
export interface UserRecord {
  id: string;
  tenantId: string;
  email: string;
  name: string;
}

/** An API key: it stands for a tenant and a user. */
export interface ApiKeyRecord {
  id: string;
  tenantId: string;
  userId: string;
  name: string;
  /** The secret itself, in plain text: these keys open nothing but invented data. */
  key: string;
  scope: string[];
  /** True for a key that covers every capability. */
  wildcardGranted: boolean;
  createdAt: string;
  /** From then on the key is not valid; null for a key in use. */
  revokedAt: string | null;
}
