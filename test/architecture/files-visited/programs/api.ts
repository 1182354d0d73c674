import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { request } from 'undici';

import type { Coverage, VisitedFile } from './coverage.ts';

/** GET of a list, served by the reference server. */
export function listRequest(coverage: Coverage): Promise<VisitedFile[]> {
  return apiCall(coverage, (server) => call(server, 'GET', '/v1/dataset-review-requests'));
}

/** PATCH of a review, served by the reference server. */
export function reviewChange(coverage: Coverage): Promise<VisitedFile[]> {
  let count = 0;
  return apiCall(coverage, (server) => {
    const { reviewAutomationId, openReviewId } = server.world.fixtures;
    const path = `/v1/automations/${reviewAutomationId}/dataset-review-requests/${openReviewId}`;
    count += 1;
    return call(server, 'PATCH', path, { title: `Totals ${count}` });
  });
}

async function apiCall(
  coverage: Coverage,
  callOnce: (server: ReferenceServer) => Promise<void>,
): Promise<VisitedFile[]> {
  const server = await createServer({ store: { kind: 'memory' } });
  try {
    await callOnce(server);
    await callOnce(server);
    coverage.take();
    await callOnce(server);
    return coverage.take();
  } finally {
    await server.close();
  }
}

async function call(
  { baseUrl, world }: ReferenceServer,
  method: 'GET' | 'PATCH',
  path: string,
  json?: object,
): Promise<void> {
  const response = await request(baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${world.keys.wildcard}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await response.body.text();
  if (response.statusCode !== 200) {
    throw new Error(`${method} ${path} must get 200, got ${response.statusCode}: ${text}`);
  }
}
