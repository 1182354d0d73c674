import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import { afterAll, expect, test } from 'vitest';

import { loadServerDocument } from '../../../../server-reference/src/api/server-document.ts';
import { call } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';

const app = await openApp();
afterAll(() => app.close());

const document = loadServerDocument();
const WITH_PATHS = [...listOperations(document), ...listCompanions(document)].filter(
  ({ parameters }) => parameters.some((one) => one['x-slash-delimited'] === true),
);

test.each(WITH_PATHS.map(({ operationId, ...operation }) => ({ operationId, operation })))(
  '$operationId takes a path as one segment or several, below /v1 and /api/v1',
  async ({ operation: { method, path } }) => {
    const { fixtures, keys } = app.world;
    const known: Record<string, string> = {
      id: path.includes('/runs/') ? fixtures.runId : fixtures.datasetAutomationId,
      exampleId: fixtures.exampleId,
    };
    const bodies = await Promise.all(
      ['', '/api'].flatMap((prefix) =>
        ['lost/a%20b.pdf', 'lost%2Fa%20b.pdf', 'lost%2fa%20b.pdf'].map(async (spelling) => {
          const filled = path.replaceAll(
            /\{(\w+)\}/g,
            (_all, name: string) => known[name] ?? spelling,
          );
          const json = { newFilename: 'c', name: 'c' };
          const request = method === 'PATCH' ? { json } : {};
          const { status, body } = await call(app.listener, {
            method,
            path: prefix + filled.replace(/^\/api/, ''),
            key: keys.wildcard,
            ...request,
          });
          return { status, issues: body.issues };
        }),
      ),
    );
    // The path is decoded, so the file is unknown and not the path.
    expect(bodies[0]).toMatchObject({ status: 404, issues: [{ code: 'not_found' }] });
    expect(bodies[0]?.issues[0].field).not.toBe('<root>');
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  },
);

test('a file is downloaded under both spellings of its path', async () => {
  const { fixtures, keys } = app.world;
  const output = `/v1/runs/${fixtures.runId}/artifacts/output`;
  const spellings = [
    `${output}/${fixtures.outputFileName}`,
    `${output}%2F${fixtures.outputFileName}`,
  ];
  const [several, one] = await Promise.all(
    spellings.map((path) => call(app.listener, { path, key: keys.wildcard })),
  );
  expect(several?.status).toBe(200);
  expect(one?.bytes).toEqual(several?.bytes);
  const twice = `${output}%252F${fixtures.outputFileName}`;
  expect((await call(app.listener, { path: twice, key: keys.wildcard })).status).toBe(404);
});
