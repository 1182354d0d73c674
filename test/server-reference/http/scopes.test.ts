import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import { afterAll, describe, expect, test } from 'vitest';

import { loadServerDocument } from '../../../server-reference/src/api/server-document.ts';
import { SCOPES } from '../../../server-reference/src/api/auth/api-key.ts';
import { REQUIREMENTS } from '../../../server-reference/src/operations.ts';
import { call } from '../contract-client.ts';
import { openApp } from '../open-app.ts';
import { controlClient } from '../lab/control/control-client.ts';

const document = loadServerDocument();
const operations = [...listOperations(document), ...listCompanions(document)];

const app = await openApp();
afterAll(() => app.close());

/** `ocr:full` restricts a key. */
const UNRESTRICTED = SCOPES.filter((scope) => scope !== 'ocr:full');
const keys = new Map<string, string>();

async function keyWith(...scope: readonly string[]): Promise<string> {
  const name = scope.join(' ');
  const control = controlClient(app);
  const key =
    keys.get(name) ?? (await control.expectOk<{ key: string }>(201, '/keys', { scope })).key;
  keys.set(name, key);
  return key;
}

/** Calls an operation with unknown ids and no body. */
async function statusOf(id: string, key: string): Promise<number> {
  const operation = operations.find(({ operationId }) => operationId === id);
  if (operation === undefined) return expect.unreachable(id);
  const path = operation.path.replaceAll(/\{\w+\}/g, 'unknown_1');
  const { status, body } = await call(app.listener, { method: operation.method, path, key });
  if (status === 403) {
    expect(body.issues).toMatchObject([{ field: '<root>', code: 'forbidden' }]);
    expect(body.hint).toContain('/v1/auth/check');
  }
  return status;
}

describe('scopes', () => {
  test('exist for every operation of the document', () => {
    expect(Object.keys(REQUIREMENTS).toSorted()).toEqual(
      operations.map(({ operationId }) => operationId).toSorted(),
    );
  });

  // RESPONSES.md has the scope of each operation; it is written from the same table.
  test.each(Object.entries(REQUIREMENTS))('%s requires %s, and no other', async (id, scope) => {
    const isOpen = scope === 'any key';
    const others = UNRESTRICTED.filter((other) => other !== scope);
    expect((await statusOf(id, await keyWith(...others))) === 403).toBe(!isOpen);
    expect(await statusOf(id, await keyWith(...(isOpen ? [] : [scope])))).not.toBe(403);
  });

  test('permit nothing to a key that ocr:full restricts', async () => {
    const key = await keyWith(...SCOPES);
    for (const { operationId } of operations) {
      const status = await statusOf(operationId, key);
      expect(status, operationId).toBe(operationId === 'checkAuth' ? 200 : 403);
    }
    expect(await statusOf('getRun', await keyWith('ocr:full'))).toBe(403);
  });

  test('are checked before validation and before the resource', async () => {
    const response = await call(app.listener, {
      method: 'PATCH',
      path: '/v1/automations/wf_unknown',
      key: app.world.keys.ocr,
      raw: '{',
    });
    expect(response.status).toBe(403);
  });
});
