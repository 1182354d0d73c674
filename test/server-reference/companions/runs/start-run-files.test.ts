import { afterAll, describe, expect, test } from 'vitest';

import { openRunApp } from '../../api/runs/run-app.ts';

const { app, control, ask, start, view, upload } = await openRunApp();
afterAll(() => app.close());
const { fixtures, keys } = app.world;
const target = 'workflows.invoice-matcher';

async function argsOf(id: string): Promise<unknown> {
  return (await view(id, '?expand=input')).input.args;
}

async function download(id: string, path: string): Promise<string> {
  return (await ask(`/v1/runs/${id}/artifacts/${path}`)).bytes.toString();
}

function inline(filename: string, text: string): object {
  const base64 = Buffer.from(text).toString('base64');
  return { $inline: { filename, mimeType: 'text/plain', base64 } };
}

describe('a file reference', () => {
  test('$fileId anywhere in the input is copied to the run, and the file stays', async () => {
    const id = await upload('rates.json', '{"a":1}', 'run-input');
    const input = { doc: { $fileId: id }, deep: [{ more: { $fileId: id } }], note: 'x' };
    const { status, body } = await start({ target, input });
    expect(status).toBe(201);
    expect(await argsOf(body.id)).toEqual({
      doc: { $file: 'input/rates.json' },
      deep: [{ more: { $file: 'input/deep/rates.json' } }],
      note: 'x',
    });
    expect(await download(body.id, 'input/rates.json')).toBe('{"a":1}');
    expect(await download(body.id, 'input/deep/rates.json')).toBe('{"a":1}');
    expect((await start({ target, input })).status).toBe(201);
    expect((await ask(`/v1/files/${id}`)).status).toBe(200);
    await ask(`/v1/files/${id}`, { method: 'DELETE' });
    expect(await download(body.id, 'input/rates.json')).toBe('{"a":1}');
  });

  test('the input itself can be one', async () => {
    const { body } = await start({ target, input: inline('all.txt', 'all') });
    expect(await argsOf(body.id)).toEqual({ $file: 'input/all.txt' });
    const broken = await start({ target, input: { $fileId: fixtures.otherTenantFileId } });
    expect([broken.status, broken.body.issues[0].field]).toEqual([404, 'input.$fileId']);
  });

  test('in files joins the input under its field, alone or as an array', async () => {
    const id = await upload('a.json', '[]');
    const files = { one: { $fileId: id }, two: [{ $fileId: id }, inline('b.txt', 'b')] };
    const { body } = await start({ target, input: { one: 'lost', kept: 1 }, files });
    expect(await argsOf(body.id)).toEqual({
      kept: 1,
      one: { $file: 'input/a.json' },
      two: [{ $file: 'input/two/a.json' }, { $file: 'input/b.txt' }],
    });
    expect(await download(body.id, 'input/b.txt')).toBe('b');
  });

  test('an object is none if its $ member is not its only one', async () => {
    const input = { doc: { $fileId: 'file_no', name: 'x' }, $file: 'y', more: { $other: 1 } };
    const { body } = await start({ target, input });
    expect(await argsOf(body.id)).toEqual(input);
  });

  test.each([
    ['../../up.txt', '.._.._up.txt'],
    ['a\\b.txt', 'a_b.txt'],
    ['C:x.', 'C_x_'],
    ['e\u0301.txt', '\u00e9.txt'],
    ['..', '_'],
  ])('the name %j becomes %j', async (filename, name) => {
    const { body } = await start({ target, input: { doc: inline(filename, 'x') } });
    expect(await argsOf(body.id)).toEqual({ doc: { $file: `input/${name}` } });
    expect(await download(body.id, `input/${encodeURIComponent(name)}`)).toBe('x');
  });

  test('a name that would be a folder of another gets a folder of its own', async () => {
    const input = { a: inline('x', '1'), b: inline('b', '2'), c: inline('x', '3') };
    const { body } = await start({ target, input: { ...input, x: inline('b', '4') } });
    expect(await argsOf(body.id)).toEqual({
      a: { $file: 'input/x' },
      b: { $file: 'input/b' },
      c: { $file: 'input/c/x' },
      x: { $file: 'input/x-2/b' },
    });
  });
});

test('a thousand files with one name get a folder each', async () => {
  const id = await upload('same.json', '1');
  const docs = Array.from({ length: 1_000 }, () => ({ $fileId: id }));
  const { status, body } = await start({ target, input: { docs } });
  expect(status).toBe(201);
  const { args } = (await view(body.id, '?expand=input')).input;
  expect(args.docs.slice(0, 3)).toEqual([
    { $file: 'input/same.json' },
    { $file: 'input/docs/same.json' },
    { $file: 'input/docs-2/same.json' },
  ]);
  expect(args.docs.at(-1)).toEqual({ $file: 'input/docs-999/same.json' });
});

test('an input of many values at a great depth gives an output file of about its size', async () => {
  const [depth, count] = [480, 60_000];
  const values = Array.from({ length: count }, () => '1').join(',');
  const deep = JSON.parse('['.repeat(depth) + values + ']'.repeat(depth));
  const { body } = await start({ target, input: { deep } });
  await control.advance(60_000);
  const { bytes } = await ask(`/v1/runs/${body.id}/artifacts/output/result.json`);
  expect(bytes.length).toBeLessThan(4 * count);
  expect(JSON.parse(bytes.toString())).toEqual({ rows: [{ field: 'deep', value: deep }] });
});

describe('a broken reference starts nothing and sends no event', () => {
  const cases: readonly [string, () => object | Promise<object>, number, string][] = [
    [
      'an unknown file',
      () => ({ input: { doc: { $fileId: 'file_no' } } }),
      404,
      'input.doc.$fileId',
    ],
    [
      'a file of another tenant',
      () => ({ input: { docs: [{ $fileId: fixtures.otherTenantFileId }] } }),
      404,
      'input.docs[0].$fileId',
    ],
    [
      'a deleted file',
      async () => {
        const id = await upload('x.txt', 'x');
        await ask(`/v1/files/${id}`, { method: 'DELETE' });
        return { files: { doc: { $fileId: id } } };
      },
      404,
      'files.doc.$fileId',
    ],
    [
      'a file that has expired',
      async () => {
        const id = await upload('x.txt', 'x', 'run-input');
        await control.advance(86_400_000);
        return { files: { doc: [{ $fileId: id }] } };
      },
      404,
      'files.doc[0].$fileId',
    ],
    [
      'an id that is not a text',
      () => ({ input: { doc: { $fileId: 7 } } }),
      400,
      'input.doc.$fileId',
    ],
    ['a stored file', () => ({ input: { doc: { $file: 'input/x' } } }), 400, 'input.doc.$file'],
    [
      'an inline file without its name',
      () => ({ input: { doc: { $inline: { mimeType: 'a/b', base64: 'YQ==' } } } }),
      400,
      'input.doc.$inline.filename',
    ],
    [
      'a text that is not base64',
      () => ({ input: { doc: { $inline: { filename: 'a', mimeType: 'a/b', base64: '!' } } } }),
      400,
      'input.doc.$inline.base64',
    ],
    [
      'an inline file that is a text',
      () => ({ input: { a: { $inline: 'x' } } }),
      400,
      'input.a.$inline.filename',
    ],
    [
      'more than 1000 files',
      () => ({
        input: { docs: Array.from({ length: 1001 }, () => ({ $fileId: fixtures.fileId })) },
      }),
      400,
      'input.docs[1000].$fileId',
    ],
    ['files with an array of others', () => ({ files: { doc: [{}] } }), 400, 'files.doc'],
  ];

  test.each(cases)('%s', async (_what, json, expected, field) => {
    const body = await json();
    const before = (await ask('/v1/runs')).body.total;
    const response = await start({ target, ...body });
    expect([response.status, response.body.issues[0].field]).toEqual([expected, field]);
    expect((await ask('/v1/runs')).body.total).toBe(before);
  });

  test('another tenant may use its own file', async () => {
    const { status } = await ask('/v1/runs', {
      method: 'POST',
      key: keys.otherTenant,
      json: {
        target: 'workflows.delivery-note-reader',
        input: { doc: { $fileId: fixtures.otherTenantFileId } },
      },
    });
    expect(status).toBe(201);
  });

  test('names of members that JavaScript treats specially are kept', async () => {
    const text = '{"target":"workflows.invoice-matcher","input":{"__proto__":{"a":1},"b":2}}';
    const { status, body } = await ask('/v1/runs', {
      method: 'POST',
      json: JSON.parse(text),
    });
    expect(status).toBe(201);
    const stored = (await ask(`/v1/runs/${body.id}?expand=input`)).bytes.toString();
    expect(stored).toContain('{"__proto__":{"a":1},"b":2}');
  });
});
