import type { Automation } from '@hookproof/spec';

import type { Handler, Services } from '../app/handler.ts';
import { findAutomation } from './find-automation.ts';
import { presentAutomation } from './present-automation.ts';

/** `GET /v1/automations/{id}`: a workflow or an agent, by id or alias. */
export function getAutomation({ store }: Services): Handler {
  return async function handle({ key, path }): Promise<Automation> {
    const { state } = store;
    return presentAutomation(state, findAutomation(state, key.tenantId, path['id'] ?? ''));
  };
}
