import { expect, beforeAll, afterAll, test } from 'vitest';

import { REQUIREMENTS } from '../../../../server-reference/src/operations.ts';
import type { ApiResponse } from '../../contract-client.ts';
import type { Pair } from './documented-pairs.ts';
import { refusesItself, requestOf } from './requests.ts';
import { BODY_LIMIT, UPLOAD_LIMIT, openSandboxes } from './sandbox.ts';
import type { RequestParts, Sandbox, Sandboxes } from './sandbox.ts';

/** Whether a route itself gives this response; else only a fault produces it. */
export function isOwn({ operation: { operationId }, status }: Pair): boolean {
  if (status === 400 || status === 404 || status === 409) return refusesItself(operationId, status);
  if (status === 403) return REQUIREMENTS[operationId] !== 'any key';
  return status !== 500;
}

/** Whether `npm test` produces this response; the second group produces all others. */
export function isUsual({ status }: Pair): boolean {
  return status < 300 || status === 400;
}

/** Defines a test for each pair. */
export function produceEach(pairs: readonly Pair[]): void {
  let sandboxes: Sandboxes;
  beforeAll(async () => {
    sandboxes = await openSandboxes();
  });
  afterAll(() => sandboxes.close());

  test.each(pairs.map((pair) => ({ name: `${pair.operation.operationId} ${pair.status}`, pair })))(
    '$name',
    async ({ pair }) => {
      const response = await produceResponse(pair, sandboxes);
      expect(response.status, JSON.stringify(response.body)).toBe(pair.status);
    },
  );
}

/** Produces a response over a real socket; the client has compared it with the document. */
async function produceResponse(pair: Pair, sandboxes: Sandboxes): Promise<ApiResponse> {
  const { operation, status } = pair;
  const { operationId } = operation;
  const sandbox = await sandboxes.open(status === 302 ? 'redirects' : 'streams');
  const good = await requestOf(sandbox, operationId);
  if (!isOwn(pair)) return inject(sandbox, pair, good);
  switch (status) {
    case 206:
      return sandbox.send(operationId, { ...good, headers: { range: 'bytes=1-3' } });
    case 304:
      return sandbox.send(operationId, { ...good, headers: { 'if-none-match': '*' } });
    case 400:
    case 404:
    case 409:
      return sandbox.send(operationId, await requestOf(sandbox, operationId, status));
    case 401:
      return sandbox.send(operationId, { ...good, key: null });
    case 403:
      return sandbox.send(operationId, { ...good, key: await sandbox.keyWithoutScope() });
    case 413:
      return sandbox.send(operationId, tooLarge(pair, good));
    case 416:
      return sandbox.send(operationId, { ...good, headers: { range: 'bytes=5000-' } });
    case 429:
      await change(sandbox, { rateLimit: { requests: 1, windowSeconds: 60 } });
      await sandbox.send('checkAuth', {});
      return changedBack(sandbox, { rateLimit: null }, sandbox.send(operationId, good));
    case 503:
      await change(sandbox, { accounting: 'unavailable' });
      return changedBack(sandbox, { accounting: 'available' }, sandbox.send(operationId, good));
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
  { operation: { operationId }, status }: Pair,
  good: RequestParts,
): Promise<ApiResponse> {
  const match = { operationId, key: sandbox.world.keys.wildcard };
  await sandbox.control.expectOk(201, '/api-faults', { match, times: 1, effect: { status } });
  const response = await sandbox.send(operationId, good);
  expect(response.body.issues).toMatchObject([{ code: 'injected_fault' }]);
  await sandbox.control.call('/faults', { method: 'DELETE' });
  return response;
}

async function changedBack(
  sandbox: Sandbox,
  limits: object,
  sent: Promise<ApiResponse>,
): Promise<ApiResponse> {
  const response = await sent;
  await change(sandbox, limits);
  return response;
}

async function change({ control }: Sandbox, json: object): Promise<void> {
  expect(await control.call('/limits', { method: 'PATCH', json })).toMatchObject({ status: 200 });
}
