import { afterAll, describe, expect, test } from 'vitest';

import { datasetOf, refusal } from '../../api/datasets/dataset-app.ts';
import { openApp } from '../../open-app.ts';

const app = await openApp();
afterAll(() => app.close());
const { get, post, patch, remove, upload, form } = datasetOf(app);

async function newExample(): Promise<string> {
  return `/examples/${(await post('/examples', {})).body.id}`;
}

async function filesOf(folder: string): Promise<string[]> {
  return (await get(folder)).body.files;
}

describe.each(['input', 'expected'])('the files in the folder %s', (name) => {
  const other = name === 'input' ? 'expected' : 'input';

  test('are uploaded by a form, one or more, and listed without the name of the folder', async () => {
    const example = await newExample();
    const folder = `${example}/${name}`;
    expect((await get(folder)).body).toEqual({ files: [] });
    const one = await upload(folder, { 'scan.pdf': 'one' });
    expect([one.status, one.body]).toEqual([201, { uploaded: ['scan.pdf'] }]);
    const two = await upload(folder, { 'scans/b c.txt': 'two', 'a.txt': 'three' });
    expect([two.status, two.body]).toEqual([201, { uploaded: ['scans/b c.txt', 'a.txt'] }]);
    expect((await get(folder)).body).toEqual({ files: ['a.txt', 'scan.pdf', 'scans/b c.txt'] });
    expect(await filesOf(`${example}/${other}`)).toEqual([]);
    const shown = (await get(example)).body.expectedFiles;
    const names = ['a.txt', 'scan.pdf', 'scans/b c.txt'].map((file) => ({ name: file }));
    expect(shown).toEqual(name === 'expected' ? names : []);
  });

  test('are replaced by a file with the same path', async () => {
    const folder = `${await newExample()}/${name}`;
    await upload(folder, { 'a.txt': 'old' });
    expect((await upload(folder, { 'a.txt': 'new' })).body).toEqual({ uploaded: ['a.txt'] });
    expect((await get(`${folder}/a.txt`)).bytes.toString()).toBe('new');
    expect(await filesOf(folder)).toEqual(['a.txt']);
  });

  test.each([
    ['report.json', 'application/json', '{"a":1}'],
    ['page.html', 'text/html', '<p>'],
    ['rows.csv', 'text/csv', 'a,b\n'],
  ])('are downloaded as bytes: %s', async (filename, type, bytes) => {
    const folder = `${await newExample()}/${name}`;
    await form(folder, [{ name: 'file', filename, type, bytes }]);
    const { status, headers, bytes: got } = await get(`${folder}/${filename}`);
    expect([status, got.toString()]).toEqual([200, bytes]);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${filename}"`,
      'x-content-type-options': 'nosniff',
    });
  });

  test('have one segment or several in their address', async () => {
    const folder = `${await newExample()}/${name}`;
    await upload(folder, { 'sub/a b.pdf': 'same' });
    for (const path of ['sub%2Fa%20b.pdf', 'sub/a%20b.pdf']) {
      expect((await get(`${folder}/${path}`)).bytes.toString()).toBe('same');
    }
    const renamed = await patch(`${folder}/sub%2Fa%20b.pdf`, { newFilename: 'c.pdf' });
    expect([renamed.status, renamed.body]).toEqual([
      200,
      { ok: true, filename: 'c.pdf', path: 'sub/c.pdf' },
    ]);
    const gone = await remove(`${folder}/sub%2Fc.pdf`);
    expect([gone.status, gone.bytes.length]).toEqual([204, 0]);
    expect(await filesOf(folder)).toEqual([]);
  });

  test.each([
    [
      'the name of a folder',
      'sub',
      'newFilename',
      'the folder already has a folder with this name',
    ],
    ['the name of a file', 'b.txt', 'newFilename', 'the folder already has a file with this name'],
    [
      'that name in another case',
      'B.TXT',
      'newFilename',
      'the folder already has a file with this name',
    ],
  ])('are not renamed to %s', async (_what, newFilename, field, message) => {
    const folder = `${await newExample()}/${name}`;
    await upload(folder, { 'a.txt': 'a', 'b.txt': 'b', 'sub/c.txt': 'c' });
    expect(refusal(await patch(`${folder}/a.txt`, { newFilename }))).toEqual([
      409,
      'file_name_conflict',
      field,
      message,
    ]);
    expect(await filesOf(folder)).toEqual(['a.txt', 'b.txt', 'sub/c.txt']);
  });

  test('can be renamed to the same name in another case', async () => {
    const folder = `${await newExample()}/${name}`;
    await upload(folder, { 'a.txt': 'a' });
    expect((await patch(`${folder}/a.txt`, { newFilename: 'A.TXT' })).body.path).toBe('A.TXT');
  });

  test.each([
    ['../up.txt', 'must not have a segment . or ..'],
    ['/absolute.txt', 'must not have an empty segment: slashes only separate segments'],
    ['a\\\\b.txt', 'must not contain a backslash; separate segments with slashes'],
    ['dot./a.txt', 'must not have a segment that ends with a dot or a blank: some systems drop it'],
    ['', 'must not be empty'],
  ])('are refused under the path %j, with all files of the form', async (filename, message) => {
    const folder = `${await newExample()}/${name}`;
    const good = { name: 'file', filename: 'good.txt', bytes: 'good' };
    const response = await form(folder, [good, { name: 'file', filename, bytes: 'bad' }]);
    expect(refusal(response)).toEqual([400, 'invalid_value', 'file', message]);
    expect(await filesOf(folder)).toEqual([]);
  });

  test.each([
    [{ 'a.txt': '1', 'A.txt': '2' }, 'the folder already has a file with this name'],
    [{ 'a/b.txt': '1', a: '2' }, 'the folder already has a folder with this name'],
  ])('are refused where a file system could not keep them apart: %j', async (files, message) => {
    const folder = `${await newExample()}/${name}`;
    const response = await upload(folder, files);
    expect(refusal(response)).toEqual([409, 'file_name_conflict', 'file', message]);
    expect(await filesOf(folder)).toEqual([]);
  });

  test('need a form with a file', async () => {
    const folder = `${await newExample()}/${name}`;
    expect(refusal(await form(folder, []))).toEqual([400, 'invalid_value', 'file', 'is required']);
    const [status, code] = refusal(await post(folder, {}));
    expect([status, code]).toEqual([400, 'unsupported_media_type']);
  });

  test('an unknown file is 404 for download, rename and deletion', async () => {
    const path = `${await newExample()}/${name}/lost.txt`;
    const responses = [
      await get(path),
      await patch(path, { newFilename: 'found.txt' }),
      await remove(path),
    ];
    const message = `the example has no ${name} file with this path`;
    expect(responses.map(refusal)).toEqual(
      responses.map(() => [404, 'not_found', 'path', message]),
    );
  });
});
