import { virtualClock } from '@hookproof/server-reference';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';
import type { OpenApp } from '../../open-app.ts';

const clock = virtualClock({ now: Date.parse('2026-05-04T12:00:00.000Z') });

let app: OpenApp;
beforeEach(async () => {
  app = await openApp({ clock });
});
afterEach(() => app.close());

function move(automation: string, json: unknown): Promise<ApiResponse> {
  return call(app.listener, {
    method: 'PATCH',
    path: `/v1/automations/${automation}`,
    key: app.world.keys.wildcard,
    json,
  });
}

describe('PATCH /v1/automations/{id}', () => {
  test('ignores empty names in a path', async () => {
    const first = await move('workflows.invoice-matcher', { folderPath: 'Finance/Invoices/2026' });
    expect(first.body.updatedAt).toBe('2026-05-04T12:00:00.000Z');
    const second = await move('workflows.fax-intake', { folderPath: '//Finance/Invoices//2026/' });
    expect(second.body).toMatchObject({
      folderPath: 'Finance/Invoices/2026',
      folderId: first.body.folderId,
    });
    expect(second.body.implementationAvailable).toBe(false);
    const root = await move('workflows.fax-intake', { folderPath: '//' });
    expect(root.body).toMatchObject({ folderId: null, folderPath: null });
  });

  test('ignores an unknown folderId beside a path', async () => {
    const { workflowId } = app.world.fixtures;
    const { body } = await move(workflowId, { folderId: 'folder_unknown', folderPath: 'Inbound' });
    expect(body.folderPath).toBe('Inbound');
  });

  test('responds 409 and names the owner when the name exists in the target folder', async () => {
    const owner = await move('workflows.bank-statement-import', {
      folderPath: 'Finance/Statements',
    });
    expect(owner.status).toBe(200);
    for (const target of [
      { folderPath: 'Finance/Statements' },
      { folderId: owner.body.folderId as string },
    ]) {
      const { status, body } = await move('workflows.card-statement-import', target);
      expect(status).toBe(409);
      expect(body.conflictingWorkflowId).toBe(owner.body.id);
      expect(body.issues).toMatchObject([
        { field: Object.keys(target)[0], code: 'workflow_name_conflict' },
      ]);
    }
    const again = await move('workflows.bank-statement-import', {
      folderPath: 'Finance/Statements',
    });
    expect([again.status, again.body.folderPath]).toEqual([200, 'Finance/Statements']);
  });

  test('refuses a name that is not in the form NFC', async () => {
    const folderPath = 'Finance/Cafe\u0301';
    const { status, body } = await move(app.world.fixtures.workflowId, { folderPath });
    expect([status, body.issues[0].field]).toEqual([400, 'folderPath']);
  });
});
