import { describe, expect, test } from 'vitest';

import { emptyFolder } from '../../../empty-folder.ts';
import { blobFiles } from '../../api/files/blob-folder.ts';
import { formBytes, startFileServer } from '../../api/files/file-server.ts';
import type { FileServer, Part } from '../../api/files/file-server.ts';
import { call } from '../../contract-client.ts';
import { exchange, wholeResponses } from '../../raw-exchange.ts';

const FILE: Part = { name: 'file', filename: 'note.txt', type: 'text/plain', bytes: 'hello' };
const PURPOSE: Part = { name: 'purpose', bytes: 'run-input' };

test('a form creates a file, with the purpose before or after it', async () => {
  const { form, get } = await startFileServer();
  for (const parts of [
    [FILE, PURPOSE],
    [PURPOSE, FILE],
  ]) {
    const { status, body } = await form(parts);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^file_/),
      filename: 'note.txt',
      contentType: 'text/plain',
      size: 5,
      createdAt: '2026-03-02T09:00:00.250Z',
      purpose: 'run-input',
    });
    expect((await get(`/v1/files/${body.id}/content`)).bytes.toString()).toBe('hello');
  }
  const { body } = await form([{ name: 'comment', bytes: 'passed over' }, FILE]);
  expect(body).not.toHaveProperty('purpose');
});

test('bytes are unchanged, even if they resemble a boundary', async () => {
  const { get, upload } = await startFileServer();
  const bytes = Buffer.concat([
    Buffer.from('\r\n--edg\r\n--\r\n-edge--\r\n'),
    Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256)),
  ]);
  expect((await get(`/v1/files/${await upload(bytes)}/content`)).bytes.equals(bytes)).toBe(true);
});

test('the folders of a name are cut off', async () => {
  const { form } = await startFileServer();
  for (const [filename, kept] of [
    ['/etc/passwd', 'passwd'],
    ['..\\\\..\\\\boot.ini', 'boot.ini'],
    ['C:\\\\notes\\\\Süd.txt', 'Süd.txt'],
    ['  spaced .txt ', 'spaced .txt'],
  ] as const) {
    expect((await form([{ ...FILE, filename }])).body.filename).toBe(kept);
  }
});

test('a name that cannot be stored is refused', async () => {
  const { form } = await startFileServer();
  for (const [filename, message] of [
    ['', 'must end with a file name'],
    ['..', 'must end with a file name'],
    ['folder/', 'must end with a file name'],
    ['a\u0007b', 'must not contain control characters'],
    ['a\u2028b', 'must not contain control characters'],
    ['n'.repeat(256), 'must not be longer than 255 characters'],
  ] as const) {
    const { status, body } = await form([{ ...FILE, filename }]);
    expect([filename, status]).toEqual([filename, 400]);
    expect(body.issues[0]).toMatchObject({ field: 'file', code: 'invalid_value', message });
  }
});

const MALFORMED: readonly [string, readonly Part[], string, string, string][] = [
  ['no file', [PURPOSE], 'file', 'invalid_value', 'is required'],
  ['no part', [], 'file', 'invalid_value', 'is required'],
  ['a file of another name', [{ ...FILE, name: 'upload' }], 'file', 'invalid_value', 'is required'],
  ['two files', [FILE, FILE], 'file', 'malformed_multipart', 'must be sent only once'],
  [
    'a part without a name',
    [FILE, { bytes: 'x' }],
    '<root>',
    'malformed_multipart',
    'every part must have a name',
  ],
  [
    'a part with an empty name',
    [FILE, { name: '', bytes: 'x' }],
    '<root>',
    'malformed_multipart',
    'every part must have a name',
  ],
  [
    'two purposes',
    [PURPOSE, FILE, PURPOSE],
    'purpose',
    'malformed_multipart',
    'must be sent only once',
  ],
  [
    'a file in place of a text',
    [FILE, { ...PURPOSE, filename: 'a' }],
    'purpose',
    'malformed_multipart',
    'must be a text without a file name',
  ],
];

test('a form with missing, repeated or nameless parts is refused', async () => {
  const { form, server } = await startFileServer();
  for (const [what, parts, field, code, message] of MALFORMED) {
    const { status, body } = await form(parts);
    expect([what, status]).toEqual([what, 400]);
    expect(body.issues, what).toEqual([{ field, code, message, severity: 'error' }]);
  }
  await expectAlive({ server });
});

test('a text can be as long as a JSON body, and one byte more gets 413', async () => {
  const { form } = await startFileServer({ bodyLimitBytes: 3000 });
  const most = await form([FILE, { ...PURPOSE, bytes: 'x'.repeat(3000) }]);
  expect([most.status, most.body.issues[0].field]).toEqual([400, 'purpose']);
  const more = await form([{ ...PURPOSE, bytes: 'x'.repeat(3001) }, FILE]);
  expect(more.status).toBe(413);
  expect(more.body.issues).toMatchObject([
    { field: 'purpose', code: 'payload_too_large', message: 'must be at most 3000 bytes' },
  ]);
});

test('unknown parts are passed over', async () => {
  const { form } = await startFileServer();
  const unknown = Array.from({ length: 1000 }, (_, index) => ({ name: `f${index}`, bytes: 'x' }));
  const file = { name: 'other', filename: 'a.bin', bytes: Buffer.alloc(300_000) };
  expect((await form([file, ...unknown, FILE])).body.size).toBe(5);
});

test('a text may have a media type', async () => {
  const { form } = await startFileServer();
  const purpose = { ...PURPOSE, type: 'application/json' };
  expect((await form([purpose, FILE])).body.purpose).toBe('run-input');
});

test('a file without a file name, and an unknown purpose, are refused', async () => {
  const { form } = await startFileServer();
  const unnamed = await form([{ name: 'file', bytes: 'x' }]);
  expect(unnamed.status).toBe(400);
  expect(unnamed.body.issues[0]).toMatchObject({ field: 'file', code: 'invalid_value' });
  const unknown = await form([FILE, { name: 'purpose', bytes: 'archive' }]);
  expect(unknown.status).toBe(400);
  expect(unknown.body).toMatchObject({
    issues: [
      {
        field: 'purpose',
        code: 'invalid_value',
        message: 'must be run-input or builder-attachment, got "archive"',
      },
    ],
    hint: 'Leave it out for a durable file.',
  });
});

test('a form is read to its end, whatever follows or stands between its parts', async () => {
  const { server } = await startFileServer();
  const attachment = `Content-Disposition: attachment\r\n\r\n${'x'.repeat(70_000)}`;
  const [first, last] = ['--edge\r\n', '\r\n--edge--\r\n'];
  for (const form of [first + attachment + last, `${first}\0${first}${last}${last}`]) {
    const { status, body } = await post({ server }, Buffer.from(form));
    expect([status, body.issues[0].message]).toEqual([400, 'is required']);
  }
});

const STORES = ['memory', 'folder'] as const;

async function serverOn(kind: (typeof STORES)[number]): Promise<FileServer> {
  const store = kind === 'memory' ? { kind } : { kind, path: emptyFolder() };
  return startFileServer({ store, uploadLimitBytes: 100_000 });
}

test.each(STORES)('a form that is cut off at any point is refused (%s)', async (kind) => {
  const { server } = await serverOn(kind);
  const whole = formBytes([PURPOSE, FILE, { name: 'other', filename: 'b', bytes: 'more' }]);
  // The last line break is no part of the boundary, and may be missing.
  for (let length = 0; length < whole.length - 2; length += 7) {
    const { status, body } = await post({ server }, whole.subarray(0, length));
    expect(status, String(length)).toBe(400);
    expect(body.issues[0].code).toBe('malformed_multipart');
  }
  await expectAlive({ server });
});

test('a part may be labeled in each form of the standard', async () => {
  const { server } = await startFileServer();
  for (const [parameters, filename] of [
    ['name="file"; filename=plain.txt', 'plain.txt'],
    ['filename="a \\"quoted\\" name.txt"; name="file"', 'a "quoted" name.txt'],
    ['name=file; filename="_.txt"; filename*=utf-8\'\'na%C3%AFve.txt', 'naïve.txt'],
    ['NAME="file"; FILENAME="semi;colon.txt"', 'semi;colon.txt'],
  ] as const) {
    const text =
      `preamble\r\n--edge\r\ncontent-disposition: form-data; ${parameters}\r\nX-Other: 1\r\n` +
      '\r\nhello\r\n--edge--\r\nepilogue --edge';
    const { status, body } = await post({ server }, Buffer.from(text));
    expect([status, body.filename, body.contentType]).toEqual([200, filename, 'text/plain']);
  }
});

test('a form whose file is cut off leaves the server alive and no bytes', async () => {
  const path = emptyFolder();
  const files = await startFileServer({ store: { kind: 'folder', path } });
  const before = (await blobFiles(path)).toSorted();
  const start = '--edge\r\nContent-Disposition: form-data; name="file"; filename="t"\r\n\r\nhello';
  for (const form of [start, `${start}\r`, `${start}${'x'.repeat(200_000)}`]) {
    const { status, body } = await post(files, Buffer.from(form));
    expect([status, body.issues[0].code]).toEqual([400, 'malformed_multipart']);
  }
  expect((await blobFiles(path)).toSorted()).toEqual(before);
});

test('a content type other than a form with a boundary is refused', async () => {
  const { server } = await startFileServer();
  const bytes = formBytes([FILE]);
  const types: readonly [string, string][] = [
    ['application/json', 'unsupported_media_type'],
    ['application/x-www-form-urlencoded', 'unsupported_media_type'],
    ['multipart/mixed; boundary=edge', 'unsupported_media_type'],
    ['multipart/form-data', 'malformed_multipart'],
    ['multipart/form-data; boundary=', 'malformed_multipart'],
    ['multipart/form-data; boundary=other', 'malformed_multipart'],
  ];
  for (const [type, code] of types) {
    const { status, body } = await post({ server }, bytes, { 'content-type': type });
    expect(status, type).toBe(400);
    expect(body.issues[0].code, type).toBe(code);
  }
  const coded = await post({ server }, bytes, {
    'content-type': 'multipart/form-data; boundary=edge',
    'content-encoding': 'gzip',
  });
  expect(coded.body.issues[0].code).toBe('unsupported_media_type');
});

test('a file at the size limit is accepted, and one byte more gets 413', async () => {
  const { form, server } = await startFileServer({ uploadLimitBytes: 100_000 });
  const most = await form([{ ...FILE, bytes: Buffer.alloc(100_000) }]);
  expect(most.body.size).toBe(100_000);
  const more = await form([{ ...FILE, bytes: Buffer.alloc(100_001) }, PURPOSE]);
  expect(more.status).toBe(413);
  expect(more.body.issues[0]).toMatchObject({
    code: 'payload_too_large',
    message: 'must be at most 100000 bytes',
  });
  await expectAlive({ server });
});

describe('a form that is larger than both limits together', () => {
  const limits = { uploadLimitBytes: 1000, bodyLimitBytes: 1000 };
  const most = 1000 + 1000 + 8192;

  test.each([
    [
      'unknown parts',
      formBytes([{ name: 'other', filename: 'a', bytes: Buffer.alloc(20_000_000) }]),
    ],
    ['bytes before its first part', Buffer.alloc(20_000_000, 'preamble ')],
  ])('gets 413 for %s, declared or in chunks', async (_what, bytes) => {
    const { server } = await startFileServer(limits);
    const size = bytes.length.toString(16);
    for (const [field, body] of [
      [`Content-Length: ${bytes.length}`, bytes],
      ['Transfer-Encoding: chunked', Buffer.concat([Buffer.from(`${size}\r\n`), bytes])],
    ] as const) {
      const head = Buffer.from(formHead(server, field));
      const sent = await exchange(server.baseUrl, Buffer.concat([head, body]));
      const [refused] = wholeResponses(sent);
      expect([field, refused?.status]).toEqual([field, 413]);
      expect(refused?.body.issues).toMatchObject([
        { field: '<root>', message: `the form must be at most ${most} bytes` },
      ]);
    }
    await expectAlive({ server });
  });

  test('gets 413 for many files that are small enough', async () => {
    const { server } = await startFileServer(limits);
    const { datasetAutomationId, exampleId } = server.world.fixtures;
    const files = Array.from({ length: 50 }, (_, index) => ({
      name: 'file',
      filename: `${index}.txt`,
      bytes: Buffer.alloc(900),
    }));
    const { status } = await call(server.baseUrl, {
      method: 'POST',
      path: `/v1/automations/${datasetAutomationId}/examples/${exampleId}/expected`,
      key: server.world.keys.wildcard,
      raw: formBytes(files),
      headers: { 'content-type': FORM_TYPE },
    });
    expect(status).toBe(413);
  });

  test('is not read if it declares its length', async () => {
    const { server } = await startFileServer(limits);
    const head = formHead(server, `Content-Length: ${most + 1}`);
    expect(await exchange(server.baseUrl, head)).toMatch(/^HTTP\/1\.1 413 /);
  });
});

test('a file and a text of exactly their limits fit with their framing', async () => {
  const { form } = await startFileServer({ uploadLimitBytes: 1000, bodyLimitBytes: 9 });
  const filename = `${'ü'.repeat(251)}.txt`;
  const { status, body } = await form([PURPOSE, { ...FILE, filename, bytes: Buffer.alloc(1000) }]);
  expect([status, body.size]).toEqual([200, 1000]);
});

const FORM_TYPE = 'multipart/form-data; boundary=edge';

function formHead({ world }: FileServer['server'], field: string): string {
  return (
    `POST /v1/files HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${world.keys.wildcard}\r\n` +
    `Content-Type: ${FORM_TYPE}\r\n${field}\r\n\r\n`
  );
}

function post(
  { server }: Pick<FileServer, 'server'>,
  raw: Buffer,
  headers: Record<string, string> = {},
  key = server.world.keys.wildcard,
): ReturnType<typeof call> {
  return call(server.baseUrl, {
    method: 'POST',
    path: '/v1/files',
    key,
    raw,
    headers: { 'content-type': FORM_TYPE, ...headers },
  });
}

async function expectAlive({ server }: Pick<FileServer, 'server'>): Promise<void> {
  expect((await post({ server }, formBytes([FILE]))).status).toBe(200);
}
