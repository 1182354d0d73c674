import { expect, test } from 'vitest';

import { openDataset } from './dataset-app.ts';
import { readZip } from './read-zip.ts';

test('an escaped slash in a path is a slash, and nothing is unescaped twice', async () => {
  const { add, patch } = await openDataset();
  const id = await add({ name: 'renaming', expected: [{ path: 'reports/a.txt', text: 'a' }] });
  const folder = `/examples/${id}/expected`;
  const whole = await patch(`${folder}/reports%2Fa.txt`, { newFilename: 'a%2Fb' });
  expect(whole.body).toEqual({ ok: true, filename: 'a%2Fb', path: 'reports/a%2Fb' });
  const twice = await patch(`${folder}/reports%252Fa%252Fb`, { newFilename: 'c' });
  expect(twice.status).toBe(404);
  const once = await patch(`${folder}/reports/a%252Fb`, { newFilename: 'c' });
  expect(once.body.path).toBe('reports/c');
});

test('one of many concurrent renamings to one name succeeds', async () => {
  const { add, get, patch } = await openDataset();
  const expected = ['one.txt', 'two.txt'].map((path) => ({ path, text: path }));
  const folder = `/examples/${await add({ name: 'renaming', expected })}/expected`;
  const taken = await Promise.all(
    expected.map(({ path }) => patch(`${folder}/${path}`, { newFilename: 'same.txt' })),
  );
  expect(taken.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect((await get(folder)).body.files).toHaveLength(2);
});

test('a name that makes the whole path too long is refused', async () => {
  const { add, patch } = await openDataset();
  const folder = `${'f'.repeat(250)}/`.repeat(4);
  const id = await add({ name: 'long', expected: [{ path: `${folder}a`, text: '' }] });
  const rename = (path: string, newFilename: string): ReturnType<typeof patch> =>
    patch(`/examples/${id}/expected/${path}`, { newFilename });
  const fits = await rename(`${folder}a`, 'b'.repeat(20));
  expect(fits.status).toBe(200);
  const over = await rename(fits.body.path, 'b'.repeat(21));
  expect([over.status, over.body.issues[0].field]).toEqual([400, 'newFilename']);
});

test('one of many concurrent deletions succeeds, and the last one leaves an empty folder', async () => {
  const { add, get, remove } = await openDataset();
  const id = await add({ name: 'deleting', input: [{ path: 'mail.txt', text: 'mail' }] });
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => remove(`/examples/${id}/input/mail.txt`)),
  );
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    204, 404, 404, 404, 404,
  ]);
  const { bytes } = await get(`/dataset/export?exampleIds=${id}`);
  expect((await readZip(bytes)).map(({ name }) => name).toSorted()).toEqual([
    'examples/deleting/expected/',
    'examples/deleting/input/',
  ]);
});
