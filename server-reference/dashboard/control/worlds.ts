import type { ApiKey, KeyCreation, KeyList, World } from '@hookproof/spec/control';

import { call, send } from './call.ts';

/** `getWorld`. Without an ID, the default world. */
export function getWorld(worldId?: string): Promise<World> {
  return call({ path: '/world', query: { worldId } });
}

/** `createWorld`. */
export function createWorld(label: string): Promise<World> {
  return call({ method: 'POST', path: '/worlds', body: label === '' ? {} : { label } });
}

/** `deleteWorld`. */
export async function deleteWorld(id: string): Promise<void> {
  await send({ method: 'DELETE', path: `/worlds/${encodeURIComponent(id)}` });
}

/** `listKeys`. */
export function listKeys(worldId?: string): Promise<KeyList> {
  return call({ path: '/keys', query: { worldId } });
}

/** `createKey`. */
export function createKey(body: KeyCreation): Promise<ApiKey> {
  return call({ method: 'POST', path: '/keys', body });
}

/** `revokeKey`. */
export async function revokeKey(id: string): Promise<void> {
  await send({ method: 'DELETE', path: `/keys/${encodeURIComponent(id)}` });
}
