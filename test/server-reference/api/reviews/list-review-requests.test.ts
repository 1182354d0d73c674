import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';
import { assertPagination } from '../pagination-laws.ts';

const app = await openApp();
afterAll(() => app.close());

function inbox(query: string, key: string = app.world.keys.reviewer): Promise<ApiResponse> {
  return call(app.listener, { path: `/v1/dataset-review-requests?${query}`, key });
}

function ids(response: ApiResponse): string[] {
  return response.body.data.map((one: { id: string }) => one.id);
}

describe('GET /v1/dataset-review-requests', () => {
  test('lists the newest first, 50 at a time by default', async () => {
    const { status, body } = await inbox('');
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 13, limit: 50, offset: 0 });
    const order = body.data.map((one: { createdAt: string; id: string }) => [
      one.createdAt,
      one.id,
    ]);
    const sorted = order.toSorted(([a, x]: string[], [b, y]: string[]) =>
      a === b ? ((x ?? '') < (y ?? '') ? -1 : 1) : (a ?? '') > (b ?? '') ? -1 : 1,
    );
    expect(order).toEqual(sorted);
    expect(body.data[0].automationName).toBe('Delivery note reader');
  });

  test('counts the progress of each request from its examples', async () => {
    const { body } = await inbox('limit=100');
    const open = body.data.find(
      (one: { id: string }) => one.id === app.world.fixtures.openReviewId,
    );
    expect(open.exampleNames).toHaveLength(4);
    expect(open.progress).toEqual({
      total: 4,
      pending: 1,
      approved: 1,
      edited: 1,
      removed: 1,
      remaining: 1,
      complete: false,
    });
    for (const { progress } of body.data) {
      const { total, pending, approved, edited, removed, remaining, complete } = progress;
      expect(pending + approved + edited + removed).toBe(total);
      expect([remaining, complete]).toEqual([pending, pending === 0]);
    }
  });

  test('pages are disjoint and complete', async () => {
    await assertPagination(async (query) => {
      const response = await inbox(query);
      return { ids: ids(response), total: response.body.total };
    }, 13);
  });

  test.each([
    ['draft', 3],
    ['open', 4],
    ['paused', 3],
    ['closed', 3],
    ['open,paused', 7],
    ['paused,open', 7],
    ['open,open', 4],
    ['draft%2Copen,paused,closed', 13],
  ])('status=%s lists %i and counts them in total', async (status, count) => {
    const { body } = await inbox(`status=${status}&limit=2`);
    expect(body.total).toBe(count);
    const kept = new Set(decodeURIComponent(status).split(','));
    for (const one of body.data) expect(kept).toContain(one.status);
  });

  test.each(['status=done', 'status=', 'status=open,', 'status=open, paused', 'status=Open'])(
    'responds 400 to %s and names the field',
    async (query) => {
      const { status, body } = await inbox(query);
      expect(status).toBe(400);
      expect(body.issues).toMatchObject([{ field: 'status', code: 'invalid_value' }]);
      expect(body.hint).toContain('draft, open, paused, closed');
    },
  );

  test('names every wrong parameter at once', async () => {
    const { body } = await inbox('limit=0&offset=x');
    expect(body.issues.map((one: { field: string }) => one.field).toSorted()).toEqual([
      'limit',
      'offset',
    ]);
  });

  test('reads a repeated list as one list, and nothing else twice', async () => {
    const joined = await inbox('status=open,paused&limit=100');
    const repeated = await inbox('status=open&status=paused&limit=100');
    expect(repeated.body.total).toBeGreaterThan(1);
    expect({ ...repeated.body }).toEqual({ ...joined.body });
    expect((await inbox('status=open%2Cpaused&limit=100')).body).toEqual(joined.body);
    expect((await inbox('limit=5&limit=5')).body.issues).toMatchObject([
      { field: 'limit', message: 'must be sent only once' },
    ]);
  });

  test('reads an empty limit or offset as absent', async () => {
    const { status, body } = await inbox('limit=&offset=');
    expect([status, body.limit, body.offset]).toEqual([200, 50, 0]);
  });

  test('ignores unknown parameters', async () => {
    const { status, body } = await inbox('sort=title&sort=id&limit=1');
    expect([status, body.limit]).toEqual([200, 1]);
  });

  test('shows changes since the last request', async () => {
    const changing = await openApp();
    onTestFinished(() => changing.close());
    const { keys, fixtures } = changing.world;
    const path = '/v1/dataset-review-requests?status=open';
    const before = ids(await call(changing.listener, { path, key: keys.reviewer }));
    await call(changing.listener, {
      method: 'PATCH',
      path: `/v1/automations/${fixtures.reviewAutomationId}/dataset-review-requests/${fixtures.openReviewId}`,
      key: keys.wildcard,
      json: { status: 'closed' },
    });
    const after = ids(await call(changing.listener, { path, key: keys.reviewer }));
    expect(after).toEqual(before.filter((id) => id !== fixtures.openReviewId));
    const theirs = ids(await call(changing.listener, { path, key: keys.otherTenant }));
    expect(theirs).toEqual([fixtures.otherTenantReviewId]);
  });
});
