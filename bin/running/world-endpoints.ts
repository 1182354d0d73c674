import type { WebhookEndpoint } from '@hookproof/spec/control';

import type { ControlCall } from './control-calls.ts';

/** Returns the endpoints of a world, also those that are not enabled. */
export async function endpointsOf(
  control: ControlCall,
  worldId: string,
): Promise<readonly WebhookEndpoint[]> {
  const path = `/webhook-endpoints?worldId=${worldId}`;
  return (await control<{ data: WebhookEndpoint[] }>('GET', path)).data;
}
