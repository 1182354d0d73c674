import { expect } from 'vitest';

import { REQUIREMENTS } from '../../../../server-reference/src/platform/access/api-key.ts';
import type { Answer } from '../../contract-client.ts';
import { BAD_REQUESTS } from './bad-requests.ts';
import type { Pair } from './documented-pairs.ts';
import { GOOD_REQUESTS } from './good-requests.ts';
import { BODY_LIMIT, UPLOAD_LIMIT } from './sandbox.ts';
import type { Ask, Stage, Theatre } from './sandbox.ts';

/** Documented answers that this server never gives by itself; written here by hand. */
const PLANTED_ALONE: Readonly<Record<string, readonly number[]>> = {
  checkAuth: [403, 404],
  listDatasetReviewRequests: [404],
  deleteInputFile: [409],
  listTemplates: [404],
  listAgents: [404],
  clearRunReviews: [409],
  uploadFile: [404, 409],
  createFileUpload: [404, 409],
};

/** How an answer comes about. */
export type Origin = 'itself' | 'planted';

/** Every way that leads to an answer; a pair must have exactly one. */
export function originsOf({ operation: { operationId }, status }: Pair): Origin[] {
  const origins: Origin[] = [];
  if (isOwn(operationId, status)) origins.push('itself');
  if (status === 500 || PLANTED_ALONE[operationId]?.includes(status)) origins.push('planted');
  return origins;
}

function isOwn(operationId: string, status: number): boolean {
  if (status === 400 || status === 404 || status === 409) {
    return BAD_REQUESTS[operationId]?.[status] !== undefined;
  }
  if (status === 403) return REQUIREMENTS[operationId] !== 'any key';
  return status !== 500 && (status < 400 || [401, 413, 429, 503].includes(status));
}

/** The pairs that the tables above speak of. */
export function pairsOfTables(): string[] {
  const tables = [
    ...Object.entries(PLANTED_ALONE).map(([id, statuses]) => [id, statuses] as const),
    ...Object.entries(BAD_REQUESTS).map(([id, row]) => [id, Object.keys(row)] as const),
  ];
  return tables.flatMap(([id, statuses]) => statuses.map((status) => `${id} ${status}`));
}

/** Brings an answer about over a real socket; it has been held against the document. */
export async function produceAnswer(pair: Pair, theatre: Theatre): Promise<Answer> {
  const { operation, status } = pair;
  const { operationId } = operation;
  const stage = await theatre.stage(status === 302 ? 'redirects' : 'streams');
  const good = await GOOD_REQUESTS[operationId]?.(stage);
  if (good === undefined) return expect.unreachable(`${operationId} has no good request`);
  const [origin] = originsOf(pair);
  if (origin === 'planted') return plant(stage, pair, good);
  switch (status) {
    case 206:
      return stage.ask(operationId, { ...good, headers: { range: 'bytes=1-3' } });
    case 400:
    case 404:
    case 409:
      return stage.ask(operationId, (await BAD_REQUESTS[operationId]?.[status]?.(stage)) ?? good);
    case 401:
      return stage.ask(operationId, { ...good, key: null });
    case 403:
      return stage.ask(operationId, { ...good, key: stage.powerless });
    case 413:
      return stage.ask(operationId, tooLarge(good));
    case 429:
      return limited(stage, operationId, good);
    case 503:
      return uncounted(stage, operationId, good);
    default:
      return stage.ask(operationId, good);
  }
}

function tooLarge({ json: _json, ...good }: Ask): Ask {
  if (good.form !== undefined) return { ...good, form: 'a'.repeat(UPLOAD_LIMIT + 1) };
  return { ...good, raw: 'a'.repeat(BODY_LIMIT + 1) };
}

async function plant(stage: Stage, { operation, status }: Pair, good: Ask): Promise<Answer> {
  const { operationId } = operation;
  const match = { operationId, key: stage.world.keys.wildcard };
  await stage.control.expectOk(201, '/api-faults', { match, times: 1, effect: { status } });
  const answer = await stage.ask(operationId, good);
  expect(answer.body.issues).toMatchObject([{ code: 'injected_fault' }]);
  await stage.control.call('/api-faults', { method: 'DELETE' });
  return answer;
}

async function limited(stage: Stage, operationId: string, good: Ask): Promise<Answer> {
  await change(stage, { rateLimit: { requests: 1, windowSeconds: 60 } });
  await stage.ask('checkAuth', {});
  const answer = await stage.ask(operationId, good);
  await change(stage, { rateLimit: null });
  return answer;
}

async function uncounted(stage: Stage, operationId: string, good: Ask): Promise<Answer> {
  await change(stage, { accounting: 'unavailable' });
  const answer = await stage.ask(operationId, good);
  await change(stage, { accounting: 'available' });
  return answer;
}

async function change({ control }: Stage, json: object): Promise<void> {
  expect(await control.call('/limits', { method: 'PATCH', json })).toMatchObject({ status: 200 });
}
