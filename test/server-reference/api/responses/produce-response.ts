import { expect } from 'vitest';

import { REQUIREMENTS } from '../../../../server-reference/src/operations.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { BAD_REQUESTS } from './bad-requests.ts';
import type { Pair } from './documented-pairs.ts';
import { EVALUATION_INJECTED } from './evaluation-requests.ts';
import { GOOD_REQUESTS } from './good-requests.ts';
import { BODY_LIMIT, UPLOAD_LIMIT } from './sandbox.ts';
import type { RequestParts, Sandbox, Sandboxes } from './sandbox.ts';

/** Documented responses that only a fault produces; written here by hand. */
const INJECTED_ONLY: Readonly<Record<string, readonly number[]>> = {
  ...EVALUATION_INJECTED,
  checkAuth: [403, 404],
  listDatasetReviewRequests: [404],
  deleteInputFile: [409],
  listTemplates: [404],
  listAgents: [404],
  cancelRun: [409],
  putRunReview: [409],
  updateRunReview: [409],
  clearRunReviews: [409],
  deleteExpectedReviewFile: [409],
  uploadFile: [404, 409],
  createFileUpload: [404],
  deleteFile: [409],
};

/** How a response is produced. */
export type Origin = 'itself' | 'injected';

/** Every way to produce a response; a pair must have exactly one. */
export function originsOf({ operation: { operationId }, status }: Pair): Origin[] {
  const origins: Origin[] = [];
  if (isOwn(operationId, status)) origins.push('itself');
  if (status === 500 || INJECTED_ONLY[operationId]?.includes(status)) origins.push('injected');
  return origins;
}

function isOwn(operationId: string, status: number): boolean {
  if (status === 400 || status === 404 || status === 409) {
    return BAD_REQUESTS[operationId]?.[status] !== undefined;
  }
  if (status === 403) return REQUIREMENTS[operationId] !== 'any key';
  return status !== 500 && (status < 400 || [401, 413, 416, 429, 503].includes(status));
}

/** The pairs in the tables above. */
export function pairsOfTables(): string[] {
  const tables = [
    ...Object.entries(INJECTED_ONLY).map(([id, statuses]) => [id, statuses] as const),
    ...Object.entries(BAD_REQUESTS).map(([id, row]) => [id, Object.keys(row)] as const),
  ];
  return tables.flatMap(([id, statuses]) => statuses.map((status) => `${id} ${status}`));
}

/** Produces a response over a real socket; the client has compared it with the document. */
export async function produceResponse(pair: Pair, sandboxes: Sandboxes): Promise<ApiResponse> {
  const { operation, status } = pair;
  const { operationId } = operation;
  const sandbox = await sandboxes.open(status === 302 ? 'redirects' : 'streams');
  const good = await GOOD_REQUESTS[operationId]?.(sandbox);
  if (good === undefined) return expect.unreachable(`${operationId} has no good request`);
  const [origin] = originsOf(pair);
  if (origin === 'injected') return inject(sandbox, pair, good);
  switch (status) {
    case 206:
      return sandbox.send(operationId, { ...good, headers: { range: 'bytes=1-3' } });
    case 304:
      return sandbox.send(operationId, { ...good, headers: { 'if-none-match': '*' } });
    case 400:
    case 404:
    case 409:
      return sandbox.send(
        operationId,
        (await BAD_REQUESTS[operationId]?.[status]?.(sandbox)) ?? good,
      );
    case 401:
      return sandbox.send(operationId, { ...good, key: null });
    case 403:
      return sandbox.send(operationId, { ...good, key: await sandbox.keyWithoutScope() });
    case 413:
      return sandbox.send(operationId, tooLarge(pair, good));
    case 416:
      return sandbox.send(operationId, { ...good, headers: { range: 'bytes=5000-' } });
    case 429:
      return limited(sandbox, operationId, good);
    case 503:
      return uncounted(sandbox, operationId, good);
    default:
      return WAITING.has(operationId)
        ? started(sandbox, pair, good)
        : sandbox.send(operationId, good);
  }
}

function tooLarge(
  { operation: { requestBody } }: Pair,
  { json: _json, ...good }: RequestParts,
): RequestParts {
  if (good.form !== undefined) return { ...good, form: 'a'.repeat(UPLOAD_LIMIT + 1) };
  const factor = requestBody?.['x-body-limit-factor'] ?? 1;
  return { ...good, raw: 'a'.repeat(factor * BODY_LIMIT + 1) };
}

/** Operations that can wait for the end of a run. */
const WAITING: ReadonlySet<string> = new Set(['startRun', 'rerunRun']);

/** 201 without a wait, 200 for a wait to the end of the run, 202 for a shorter one. */
async function started(
  sandbox: Sandbox,
  { operation: { operationId }, status }: Pair,
  good: RequestParts,
): Promise<ApiResponse> {
  if (status === 201) return sandbox.send(operationId, good);
  const query = `?wait_for_completion=${status === 200 ? 60 : 1}`;
  const response = sandbox.send(operationId, { ...good, query });
  const newest = async (): Promise<unknown> =>
    (await sandbox.send('listRuns', { query: '?limit=1&status=pending' })).body.runs[0]?.createdAt;
  const now = (await sandbox.control.expectOk<{ now: string }>(200, '/clock')).now;
  await expect.poll(newest).toBe(now);
  await sandbox.control.advance(status === 200 ? 10_000 : 1_000);
  return response;
}

async function inject(
  sandbox: Sandbox,
  { operation, status }: Pair,
  good: RequestParts,
): Promise<ApiResponse> {
  const { operationId } = operation;
  const match = { operationId, key: sandbox.world.keys.wildcard };
  await sandbox.control.expectOk(201, '/api-faults', { match, times: 1, effect: { status } });
  const response = await sandbox.send(operationId, good);
  expect(response.body.issues).toMatchObject([{ code: 'injected_fault' }]);
  await sandbox.control.call('/api-faults', { method: 'DELETE' });
  return response;
}

async function limited(
  sandbox: Sandbox,
  operationId: string,
  good: RequestParts,
): Promise<ApiResponse> {
  await change(sandbox, { rateLimit: { requests: 1, windowSeconds: 60 } });
  await sandbox.send('checkAuth', {});
  const response = await sandbox.send(operationId, good);
  await change(sandbox, { rateLimit: null });
  return response;
}

async function uncounted(
  sandbox: Sandbox,
  operationId: string,
  good: RequestParts,
): Promise<ApiResponse> {
  await change(sandbox, { accounting: 'unavailable' });
  const response = await sandbox.send(operationId, good);
  await change(sandbox, { accounting: 'available' });
  return response;
}

async function change({ control }: Sandbox, json: object): Promise<void> {
  expect(await control.call('/limits', { method: 'PATCH', json })).toMatchObject({ status: 200 });
}
