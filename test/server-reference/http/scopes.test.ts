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

  test.each(SCOPES)('%s permits its operations; all others get 403', async (scope) => {
    const { key } = await controlClient(app).expectOk<{ key: string }>(201, '/keys', {
      scope: [scope],
    });
    const opened: string[] = [];
    for (const { operationId } of operations) {
      if ((await statusOf(operationId, key)) !== 403) opened.push(operationId);
    }
    // RESPONSES.md has the scope of each operation; it is written from the same table.
    const documented = operations.filter(({ operationId }) =>
      ['any key', scope].includes(REQUIREMENTS[operationId] ?? ''),
    );
    expect(opened).toEqual(
      scope === 'ocr:full' ? ['checkAuth'] : documented.map(({ operationId }) => operationId),
    );
  });

  test('permit nothing to a key that ocr:full restricts', async () => {
    const { key } = await controlClient(app).expectOk<{ key: string }>(201, '/keys', {
      scope: [...SCOPES],
    });
    for (const { operationId } of operations) {
      const status = await statusOf(operationId, key);
      expect(status, operationId).toBe(operationId === 'checkAuth' ? 200 : 403);
    }
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
