import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import type { Operation } from '@hookproof/spec/openapi';
import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ServerOptions } from '@hookproof/server-reference';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';

import { loadServerDocument } from '../../../server-reference/src/api/server-document.ts';
import { assertContract } from '../contract-client.ts';
import { exchange, wholeResponses } from '../raw-exchange.ts';
import { recordingLogger } from '../store/recording-logger.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';

const document = loadServerDocument();
const OPERATIONS = [...listOperations(document), ...listCompanions(document)];

const HOSTILE_WORDS: readonly string[] = [
  '__proto__',
  'constructor',
  'workflows.',
  'agents.__proto__',
  '..',
  '%2e%2e',
  'a%2F..%2Fb',
  '%00',
  '%F0%9F%92%A9',
  'output%2F..',
  '*',
  'x'.repeat(3000),
];
const HOSTILE_VALUES: readonly string[] = [
  '',
  '0',
  '-1',
  '1e3',
  '9007199254740993',
  'true',
  'null',
  'now',
  'now-1d',
  'now-999999w',
  '2026-13-45',
  '%00',
  ',',
  'a,b,,c',
  '__proto__',
  '%7B%7D',
  'x'.repeat(3000),
];
const LEAVES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  'x',
  '\0',
  '\ud800',
  '../up',
  'a/b',
  '__proto__',
  [],
  {},
  [null],
  { $fileId: 'file_no' },
  { $fileId: 7 },
  { $file: 'input/x' },
  { $inline: {} },
  { $inline: { filename: 'a', mimeType: 'text/plain', base64: '%%%' } },
  { $inline: { filename: '../a', mimeType: 'x', base64: 'YQ==' } },
  [{ $fileId: 'file_no' }],
];
const NAMES = [
  'target input files overrides metadata verdict status note corrections correctedOutput name ' +
    'newFilename outputFileName expectedName filename contentType size purpose idempotencyKey yaml ' +
    'examples batchConcurrency sourceRef title instructions focusFields folderId folderPath expected ' +
    'annotation rowOrder __proto__',
].flatMap((names) => names.split(' '));
const PIECES: readonly string[] = [
  '--edge\r\n',
  '\r\n--edge\r\n',
  '\r\n--edge--',
  'Content-Disposition: form-data; name="file"; filename="t.zip"\r\n\r\nPK\x03\x04',
  'Content-Disposition: form-data; name="file"; filename="../t"\r\n\r\nhello',
  'Content-Disposition: form-data; name="files.doc"; filename="d.json"\r\nContent-Type: application/json\r\n\r\n{}',
  'Content-Disposition: form-data; name="files."; filename=""\r\n\r\n',
  'Content-Disposition: form-data; name="files.__proto__"; filename="d"\r\n\r\nx',
  'Content-Disposition: form-data; name="target"\r\n\r\nworkflows.invoice-matcher',
  'Content-Disposition: form-data; name="input"\r\nContent-Type: application/json\r\n\r\n{"a":1}',
  'Content-Disposition: form-data; name="input"\r\n\r\n{',
  'Content-Disposition: form-data; name="metadata"\r\n\r\n[]',
  'Content-Disposition: form-data; name="mode"\r\n\r\nreplace',
  'Content-Disposition: form-data; name="name"\r\n\r\n../x',
  'Content-Disposition: form-data; name=""\r\n\r\nx',
  'x'.repeat(70_000),
];

const json = fc.oneof(
  fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...LEAVES), { maxKeys: 4 }),
  fc.constantFrom(...LEAVES),
);
const body = fc.oneof(
  fc.constant({ type: '', text: '' }),
  json.map((value) => ({ type: 'application/json', text: JSON.stringify(value) })),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => ({
    type: 'multipart/form-data; boundary=edge',
    text: `--edge\r\n${pieces.join('\r\n--edge\r\n')}`,
  })),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 4 }).map((pieces) => ({
    type: 'multipart/form-data; boundary=edge',
    text: `--edge\r\n${pieces.join('\r\n--edge\r\n')}\r\n--edge--\r\n`,
  })),
);

function requestTo(known: readonly string[]): fc.Arbitrary<{
  operation: Operation;
  path: string;
  body: { readonly type: string; readonly text: string };
}> {
  const word = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_WORDS) },
  );
  return fc.constantFrom(...OPERATIONS).chain((operation) =>
    fc
      .record({
        words: fc.array(word, { minLength: 4, maxLength: 4 }),
        query: fc.array(queryOf(operation), { maxLength: 3 }),
        isOther: fc.boolean(),
        body,
      })
      .map(({ words, query, isOther, body: sent }) => {
        const left = [...words];
        const filled = operation.path.replaceAll(/\{\w+\}/g, () => left.shift() ?? '');
        const other = filled.startsWith('/api/') ? filled.slice(4) : `/api${filled}`;
        const path = `${isOther ? other : filled}?${query.join('&')}`;
        return { operation, path, body: sent };
      }),
  );
}

/** A value that would make the request wait is left out. */
function queryOf({ parameters }: Operation): fc.Arbitrary<string> {
  const names = parameters.filter((one) => one.in === 'query' && !one.name.startsWith('wait'));
  return fc
    .tuple(
      fc.constantFrom('unknown', '', ...names.map(({ name }) => name)),
      fc.constantFrom(...HOSTILE_VALUES),
    )
    .map(([name, value]) => `${name}=${value}`);
}

test.each(['memory', 'folder'] as const)(
  'every operation gives any request a documented response (%s)',
  async (kind) => {
    const store: ServerOptions['store'] =
      kind === 'memory' ? { kind } : { kind, path: await temporaryFolder() };
    const logger = recordingLogger();
    const clock = virtualClock({ now: Date.parse('2026-07-01T12:00:00Z') });
    const server = await createServer({ store, logger, clock, uploadLimitBytes: 50_000 });
    onTestFinished(() => server.close());
    const known = Object.values(server.world.fixtures)
      .filter((value) => /^[\w.-]{1,80}$/.test(value))
      .map(encodeURIComponent);
    await fc.assert(
      fc.asyncProperty(requestTo(known), async ({ operation, path, body: { type, text } }) => {
        const bytes = Buffer.from(text, 'latin1');
        const head = [
          `${operation.method} ${path} HTTP/1.1`,
          'Host: localhost',
          'Connection: close',
          `Authorization: Bearer ${server.world.keys.wildcard}`,
          `Content-Length: ${bytes.length}`,
          ...(type === '' ? [] : [`Content-Type: ${type}`]),
        ];
        const request = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]);
        const received = await exchange(server.baseUrl, request);
        const status = Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]);
        expect(status, 'a response came').toBeGreaterThanOrEqual(200);
        expect(status).toBeLessThan(500);
        const [response] = status >= 400 ? wholeResponses(received) : [];
        if (response !== undefined) {
          assertContract('GET', '/raw', response);
          for (const { field } of response.body.issues) expect(field).not.toBe('');
        }
      }),
      { numRuns: 400 },
    );
    expect(logger.lines).toEqual([]);
  },
);
