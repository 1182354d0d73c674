import { afterAll, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';
import { BAD_PAGING, assertPagination } from './pagination-laws.ts';

const app = await openApp();
afterAll(() => app.close());

function templates(query: string, key: string = app.world.keys.workflow): Promise<ApiResponse> {
  return call(app.listener, { path: `/v1/templates?${query}`, key });
}

describe('GET /v1/templates', () => {
  test('lists DOCX and XLSX templates with their revision', async () => {
    const { status, body } = await templates('');
    expect(status).toBe(200);
    expect(body.total).toBe(4);
    const formats = new Set(body.items.map((one: { format: string }) => one.format));
    expect(formats).toEqual(new Set(['docx', 'xlsx']));
    for (const template of body.items) {
      expect(template.filename).toMatch(new RegExp(`\\.${template.format}$`));
      expect(template.currentRevision.number).toBeGreaterThan(0);
      expect(template).not.toHaveProperty('tenantId');
    }
  });

  test('pages are disjoint and complete', async () => {
    await assertPagination(async (query) => {
      const { body } = await templates(query);
      return { ids: body.items.map((one: { id: string }) => one.id), total: body.total };
    }, 4);
  });

  test.each(BAD_PAGING)('responds 400 to %s', async (query) => {
    const { status, body } = await templates(query);
    expect(status).toBe(400);
    expect(body.issues[0].field).toBe(query.split('=')[0]);
  });

  test('shows no template of another tenant', async () => {
    const { body } = await templates('limit=100', app.world.keys.otherTenant);
    const ids = body.items.map((one: { id: string }) => one.id);
    expect(ids).toHaveLength(4);
    expect(ids).not.toContain(app.world.fixtures.templateId);
  });
});
