import { virtualClock } from '@hookproof/server-reference';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

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

function move(automation: string, json: unknown, key?: string): Promise<ApiResponse> {
  return call(app.listener, {
    method: 'PATCH',
    path: `/v1/automations/${automation}`,
    key: key ?? app.world.keys.wildcard,
    json,
  });
}

describe('PATCH /v1/automations/{id}', () => {
  test('moves a workflow by the id of a folder, and back to the root with null', async () => {
    const { workflowId, folderId } = app.world.fixtures;
    const there = await move(workflowId, { folderId });
    expect(there.status).toBe(200);
    expect(there.body).toMatchObject({
      id: workflowId,
      type: 'workflow',
      folderId,
      folderPath: 'Finance',
      updatedAt: '2026-05-04T12:00:00.000Z',
    });
    const back = await move(workflowId, { folderId: null });
    expect(back.body).toMatchObject({ folderId: null, folderPath: null });
  });

  test.each(['', '/', '//'])('reads the path %j as the root', async (folderPath) => {
    const { reviewAutomationId } = app.world.fixtures;
    const { status, body } = await move(reviewAutomationId, { folderPath });
    expect(status).toBe(200);
    expect(body).toMatchObject({ folderId: null, folderPath: null });
  });

  test('creates the missing folders of a path, once', async () => {
    const first = await move('workflows.invoice-matcher', { folderPath: 'Finance/Invoices/2026' });
    expect(first.body.folderPath).toBe('Finance/Invoices/2026');
    const second = await move('workflows.fax-intake', { folderPath: '//Finance/Invoices//2026/' });
    expect(second.body).toMatchObject({
      folderPath: 'Finance/Invoices/2026',
      folderId: first.body.folderId,
    });
    expect(second.body.implementationAvailable).toBe(false);
  });

  test('prefers the path to the id, which must still be well-formed', async () => {
    const { workflowId, folderId } = app.world.fixtures;
    const both = await move(workflowId, { folderId, folderPath: 'Inbound' });
    expect(both.body.folderPath).toBe('Inbound');
    const unknown = await move(workflowId, { folderId: 'folder_unknown', folderPath: 'Finance' });
    expect(unknown.body.folderPath).toBe('Finance');
    const withNull = await move(workflowId, { folderId: null, folderPath: 'Inbound' });
    expect(withNull.body.folderPath).toBe('Inbound');
    for (const malformed of ['', 'Finance', 'folder_', 'folder_a b', '../../x']) {
      const response = await move(workflowId, { folderId: malformed, folderPath: 'Finance' });
      expect([response.status, response.body.issues[0].field]).toEqual([400, 'folderId']);
    }
  });

  test('responds 404 to a folder that does not exist, or belongs to another tenant', async () => {
    const { workflowId, folderId, otherTenantAutomationId } = app.world.fixtures;
    const unknown = await move(workflowId, { folderId: 'folder_unknown' });
    const foreign = await move(otherTenantAutomationId, { folderId }, app.world.keys.otherTenant);
    expect([unknown.status, foreign.status]).toEqual([404, 404]);
    expect(unknown.body.issues).toEqual(foreign.body.issues);
    expect(unknown.body.issues).toMatchObject([{ field: 'folderId', code: 'not_found' }]);
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
    const elsewhere = await move('workflows.card-statement-import', { folderPath: 'Finance' });
    expect(elsewhere.status).toBe(200);
  });

  test('moves a workflow to the folder that it is in', async () => {
    for (const target of [{ folderPath: 'Finance/Twice' }, { folderPath: 'Finance/Twice' }]) {
      const { status, body } = await move('workflows.fax-intake', target);
      expect([status, body.folderPath]).toEqual([200, 'Finance/Twice']);
    }
  });

  test('creates no folder for a refused move', async () => {
    const { agentId } = app.world.fixtures;
    await move(agentId, { folderPath: 'Never/Made' });
    const later = await move('workflows.invoice-matcher', { folderPath: 'Never' });
    const again = await move('workflows.fax-intake', { folderPath: 'Never' });
    expect(again.body.folderId).toBe(later.body.folderId);
  });

  test.each([
    ['<root>', {}],
    ['<root>', { folder: 'Finance' }],
    ['<root>', ['Finance']],
    ['folderId', { folderId: 5 }],
    ['folderId', { folderId: 'Finance' }],
    ['folderPath', { folderPath: null }],
    ['folderPath', { folderPath: ['Finance'] }],
    ['folderPath', { folderPath: '../../routes/Finance' }],
    ['folderPath', { folderPath: 'Finance/..' }],
    ['folderPath', { folderPath: 'a/'.repeat(33) }],
    ['folderPath', { folderPath: 'a'.repeat(256) }],
    ['folderPath', { folderPath: '../../other' }],
    ['folderPath', { folderPath: 'Finance/ /2026' }],
    ['folderPath', { folderPath: 'Finance/Cafe\u0301' }],
  ])('responds 400 and names %s in %j', async (field, json) => {
    const response = await move(app.world.fixtures.workflowId, json);
    expect(response.status).toBe(400);
    expect(response.body.issues).toMatchObject([{ field, code: 'invalid_value' }]);
  });

  test('accepts 32 nested folders and names of 255 characters', async () => {
    const folderPath = `${'a/'.repeat(31)}${'b'.repeat(255)}`;
    const { status, body } = await move(app.world.fixtures.workflowId, { folderPath });
    expect([status, body.folderPath]).toEqual([200, folderPath]);
  });

  test('responds 404 to an unknown automation', async () => {
    for (const id of ['wf_unknown', 'workflows.unknown', 'workflows.', '__proto__', '%20']) {
      const response = await move(id, { folderId: null });
      expect([response.status, response.body.issues[0].field], id).toEqual([404, 'id']);
    }
  });
});

test('a deep folder path is created once, and found', async () => {
  const names = Array.from({ length: 32 }, (_, depth) => `Level ${depth}`);
  const deep = await openApp();
  onTestFinished(() => deep.close());
  for (const _ of [1, 2]) {
    const { status, body } = await call(deep.listener, {
      method: 'PATCH',
      path: `/v1/automations/${deep.world.fixtures.workflowId}`,
      key: deep.world.keys.wildcard,
      json: { folderPath: names.join('/') },
    });
    expect([status, body.folderPath]).toEqual([200, names.join('/')]);
  }
});
