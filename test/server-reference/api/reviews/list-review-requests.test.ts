import { afterAll, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';

const app = await openApp();
afterAll(() => app.close());

function inbox(query: string, key: string = app.world.keys.reviewer): Promise<ApiResponse> {
  return call(app.listener, { path: `/v1/dataset-review-requests?${query}`, key });
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

  test('names every wrong parameter at once, and the known statuses', async () => {
    const { body } = await inbox('limit=0&offset=x');
    expect(body.issues.map((one: { field: string }) => one.field).toSorted()).toEqual([
      'limit',
      'offset',
    ]);
    expect((await inbox('status=done')).body.hint).toContain('draft, open, paused, closed');
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
});
