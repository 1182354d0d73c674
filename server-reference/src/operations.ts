import type { Requirements } from './api/auth/api-key.ts';
import { CONTRACT_REQUIREMENTS, contractHandlers } from './api/routes.ts';
import type { Handler, Services } from './api/services.ts';
import { COMPANION_REQUIREMENTS, companionHandlers } from './companions/routes.ts';

/** What each operation requires of a key, by operationId. */
export const REQUIREMENTS: Requirements = { ...CONTRACT_REQUIREMENTS, ...COMPANION_REQUIREMENTS };

/** Returns the handlers of all operations, by operationId. Only here the contract and its companions meet. */
export function operationHandlers(services: Services): Readonly<Record<string, Handler>> {
  return { ...contractHandlers(services), ...companionHandlers(services) };
}
