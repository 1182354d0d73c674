import { describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import { startControlled } from '../../lab/control/control-client.ts';
import { datasetOf } from './dataset-app.ts';
import { localHeaders, readZip } from './read-zip.ts';

describe('GET /v1/automations/{id}/dataset/export', () => {
  test('can be read as a stream: no stored entry has its length after its bytes', async () => {
    const { server } = await startControlled();
    const { bytes } = await datasetOf(server).get('/dataset/export');
    const headers = [...localHeaders(bytes)];
    expect(headers.length).toBeGreaterThan(20);
    const [STORED, FOLLOWS] = [0, 8];
    const unreadable = headers.filter(
      ({ flags, method }) => method === STORED && (flags & FOLLOWS) !== 0,
    );
    expect(unreadable).toEqual([]);
  });

  test('has type and name in its headers, also for HEAD', async () => {
    const { server } = await startControlled();
    const { datasetAutomationSlug } = server.world.fixtures;
    const client = datasetOf(server, `workflows.${datasetAutomationSlug}`);
    const got = await client.get('/dataset/export');
    expect(got.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${datasetAutomationSlug}-dataset.zip"`,
    });
    const head = await client.get('/dataset/export', { method: 'HEAD' });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['content-type', 'content-disposition']) {
      expect(head.headers[name]).toBe(got.headers[name]);
    }
  });

  test('ignores the order and repetition of listed ids', async () => {
    const { server } = await startControlled();
    const { exampleId, otherExampleId } = server.world.fixtures;
    const client = datasetOf(server);
    const there = await client.get(`/dataset/export?exampleIds=${exampleId},${otherExampleId}`);
    for (const query of [
      `exampleIds=${otherExampleId}%2C${exampleId},${exampleId}`,
      `exampleIds=${otherExampleId}&exampleIds=${exampleId}`,
    ]) {
      const back = await client.get(`/dataset/export?${query}`);
      expect(back.bytes.equals(there.bytes)).toBe(true);
    }
  });

  test('refuses ids of another dataset', async () => {
    const { server } = await startControlled();
    const { exampleId, otherTenantExampleId, workflowId } = server.world.fixtures;
    const client = datasetOf(server);
    for (const id of ['ex_unknown', otherTenantExampleId, '__proto__', ` ${exampleId}`, '..']) {
      const { status, body } = await client.get(`/dataset/export?exampleIds=${exampleId},${id}`);
      expect([id, status, body.issues[0].field]).toEqual([id, 404, 'exampleIds']);
    }
    const elsewhere = await datasetOf(server, workflowId).get(
      `/dataset/export?exampleIds=${exampleId}`,
    );
    expect(elsewhere.status).toBe(404);
  });

  test('responds with an empty archive without a dataset', async () => {
    const { server } = await startControlled();
    const { conflictingWorkflowId } = server.world.fixtures;
    const { status, bytes } = await datasetOf(server, conflictingWorkflowId).get('/dataset/export');
    expect(status).toBe(200);
    expect(await readZip(bytes)).toEqual([]);
  });

  test('redirects above the threshold to a signed address with the same bytes', async () => {
    const { server: streaming } = await startControlled();
    const { bytes } = await datasetOf(streaming).get('/dataset/export');
    const { server } = await startControlled({ redirectAboveBytes: 10 });
    const client = datasetOf(server);
    // The address is that of the server, whatever origin a browser sends.
    const redirect = await client.get('/dataset/export', {
      headers: { origin: 'http://elsewhere.test' },
    });
    expect([redirect.status, redirect.bytes.length]).toEqual([302, 0]);
    const location = String(redirect.headers['location']);
    expect(location.startsWith(`${server.baseUrl}/_storage/`)).toBe(true);
    const got = await call(server.baseUrl, { path: location, key: null });
    expect(got.status).toBe(200);
    expect(got.bytes.equals(bytes)).toBe(true);
    expect(got.headers).toMatchObject({ 'content-type': 'application/zip' });
  });

  test('redirects to the chosen examples only, and compares only their size with the threshold', async () => {
    const { server } = await startControlled({ redirectAboveBytes: 1000 });
    const client = datasetOf(server);
    const big = await client.add({ name: 'big', input: [{ path: 'a', size: 1001 }] });
    const fits = await client.add({ name: 'fits', input: [{ path: 'a', size: 1000 }] });
    expect((await client.get(`/dataset/export?exampleIds=${fits}`)).status).toBe(200);
    const redirect = await client.get(`/dataset/export?exampleIds=${big}`);
    expect(redirect.status).toBe(302);
    const location = String(redirect.headers['location']);
    const { bytes } = await call(server.baseUrl, { path: location, key: null });
    expect((await readZip(bytes)).map(({ name }) => name)).toEqual([
      'examples/big/expected/',
      'examples/big/input/a',
    ]);
    const widened = location.replace(`exampleIds=${big}&`, '');
    expect((await call(server.baseUrl, { path: widened, key: null })).status).toBe(403);
  });
});
