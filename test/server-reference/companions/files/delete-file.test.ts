import { expect, test } from 'vitest';

import { startFileServer } from '../../api/files/file-server.ts';

test('a deleted file is unknown, also to a repeated deletion', async () => {
  const files = await startFileServer();
  const id = await files.upload('bytes');
  const { status, body } = await files.remove(`/v1/files/${id}`);
  expect([status, body]).toEqual([200, { deleted: true }]);
  for (const response of [
    await files.remove(`/v1/files/${id}`),
    await files.get(`/v1/files/${id}`),
    await files.get(`/v1/files/${id}/content`),
  ]) {
    expect(response.status).toBe(404);
    expect(response.body.issues).toMatchObject([{ field: 'id', code: 'not_found' }]);
  }
});

test('other files with the same bytes stay', async () => {
  const files = await startFileServer();
  const [first, second] = [await files.upload('same'), await files.upload('same')];
  await files.remove(`/v1/files/${first}`);
  await files.clock.advance(7_200_000);
  expect((await files.get(`/v1/files/${second}/content`)).bytes.toString()).toBe('same');
});

test('an expired file is unknown', async () => {
  const files = await startFileServer();
  const temporary = await files.upload('bytes', {}, 'run-input');
  await files.clock.advance(86_400_000);
  expect((await files.remove(`/v1/files/${temporary}`)).status).toBe(404);
});

test('runs and examples keep their copy when its bytes are swept', async () => {
  const files = await startFileServer();
  const target = files.server.world.fixtures.workflowId;
  const id = await files.upload('kept by copies');
  const input = { doc: { $fileId: id } };
  const { body: run } = await files.post('/v1/runs', { target, input });
  await files.clock.advance(3_600_000);
  const { body: example } = await files.post(`/v1/runs/${run.id}/promote`, { name: 'copy' });
  expect((await files.remove(`/v1/files/${id}`)).status).toBe(200);
  await files.clock.advance(7_200_000);
  const promoted = `/v1/automations/${target}/examples/${example.exampleId}`;
  for (const path of [
    `/v1/runs/${run.id}/artifacts/input/note.txt`,
    `${promoted}/input/note.txt`,
  ]) {
    expect((await files.get(path)).bytes.toString()).toBe('kept by copies');
  }
  expect((await files.get(promoted)).body.input).toEqual({ doc: { $file: 'input/note.txt' } });
  const late = await files.post('/v1/runs', { target, input });
  expect([late.status, late.body.issues[0].field]).toEqual([404, 'input.doc.$fileId']);
});
