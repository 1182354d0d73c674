import { afterAll, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';

const app = await openApp();
afterAll(() => app.close());

function agents(query: string, key: string = app.world.keys.workflow): Promise<ApiResponse> {
  return call(app.listener, { path: `/api/v1/agents?${query}`, key });
}

function slugs(response: ApiResponse): string[] {
  return response.body.data.map((one: { slug: string }) => one.slug);
}

describe('GET /api/v1/agents', () => {
  test('omits archived agents unless the query includes them', async () => {
    const usual = await agents('');
    const all = await agents('includeArchived=true');
    const none = await agents('includeArchived=false');
    expect([usual.body.total, all.body.total, none.body.total]).toEqual([4, 5, 4]);
    expect(slugs(usual)).not.toContain('rate-sheet-2019');
    expect(slugs(all)).toContain('rate-sheet-2019');
    expect(usual.body).toMatchObject({ limit: 50, offset: 0 });
  });

  test.each([
    ['search=FREIGHT', ['freight-quote']],
    ['search=supplier%20mail', ['supplier-mail']],
    ['search=papers', ['claims-assistant']],
    ['search=rate%20sheet&includeArchived=true', ['rate-sheet-2019', 'freight-quote']],
    ['search=', ['tariff-finder', 'supplier-mail', 'claims-assistant', 'freight-quote']],
    ['search=.*', []],
    ['slug=claims', []],
    ['slug=rate-sheet-2019', []],
    ['slug=rate-sheet-2019&includeArchived=true', ['rate-sheet-2019']],
  ])('%s finds %j', async (query, expected) => {
    const response = await agents(query);
    expect(slugs(response)).toEqual(expected);
    expect(response.body.total).toBe(expected.length);
  });
});
