import type { ReferenceServer } from '@hookproof/server-reference';

import { call } from './contract-client.ts';
import { readDataFolder } from './data-folder.ts';

/** Everything that the server has made durable, after a commit that changes nothing. */
export async function durableState(
  { baseUrl, world }: ReferenceServer,
  folder: string,
): Promise<string> {
  const { reviewAutomationId, openReviewId } = world.fixtures;
  await call(baseUrl, {
    method: 'PATCH',
    path: `/v1/automations/${reviewAutomationId}/dataset-review-requests/${openReviewId}`,
    key: world.keys.wildcard,
    json: {},
  });
  return JSON.stringify(await readDataFolder(folder));
}
