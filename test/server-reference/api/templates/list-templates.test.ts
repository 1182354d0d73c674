import { afterAll, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';

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
});
