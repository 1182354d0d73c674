import { listControlOperations, loadControl } from '@hookproof/spec/control';
import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import { createServer, virtualClock } from '@hookproof/server-reference';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';

import { loadServerDocument } from '../../../server-reference/src/api/server-document.ts';
import { emptyFolder } from '../../empty-folder.ts';
import { assertContract } from '../contract-client.ts';
import { durableState } from '../durable-state.ts';
import { exchange, wholeResponses } from '../raw-exchange.ts';
import { recordingLogger } from '../store/recording-logger.ts';

interface Target {
  readonly method: string;
  /** The path; each place of an id is `{}`. */
  readonly template: string;
  /** The names of the parameters of the query. */
  readonly query: readonly string[];
  readonly isControl: boolean;
}

const document = loadServerDocument();
/** What makes a request wait is left out. */
const TARGETS: readonly Target[] = [
  ...[...listOperations(document), ...listCompanions(document)].map(
    ({ method, path, parameters }) => ({
      method: method.toUpperCase(),
      template: path.replaceAll(/\{\w+\}/g, '{}'),
      query: parameters
        .filter((one) => one.in === 'query' && !one.name.startsWith('wait'))
        .map(({ name }) => name),
      isControl: false,
    }),
  ),
  ...listControlOperations(loadControl())
    .filter(({ path }) => !['/wait', '/stream', '/scenarios'].includes(path))
    .map(({ method, path }) => ({
      method,
      template: `/_control${path.replaceAll(/\{\w+\}/g, '{}')}`,
      query: ['limit', 'cursor', 'worldId'],
      isControl: true,
    })),
];

const HOSTILE_WORDS: readonly string[] = (
  '__proto__ constructor workflows. agents.__proto__ . .. * ( :id % %zz %00 %2e%2e %2F a%2F..%2Fb %252F ' +
  `output%2F.. %F0%9F%92%A9 %c0%af %ED%A0%80 %0d%0aX:y ${'x'.repeat(5000)}`
).split(' ');
const HOSTILE_VALUES: readonly string[] = (
  ' 0 -1 1e3 9007199254740993 true null now now-1d now-999999w 2026-13-45 % %00 , a,b,,c __proto__ %7B%7D ' +
  `%D9%A3 ٣ ${'9'.repeat(400)} ${'x'.repeat(5000)}`
).split(' ');
const METHODS = ['PUT', 'OPTIONS', 'TRACE', 'PROPFIND', 'DELETE', 'get', 'X'];
/** Headers instead of the usual ones, by the length of the body. */
const HEADERS: readonly ((length: number, key: string) => string[])[] = [
  (length) => [`Content-Length: ${length}`, `Content-Length: ${length + 1}`],
  (length) => [`Content-Length: ${length}`, 'Transfer-Encoding: chunked'],
  () => ['Transfer-Encoding: gzip, chunked'],
  () => ['Transfer-Encoding: gzip'],
  () => ['Content-Length: -1'],
  () => ['Content-Length: 99999999999999999999'],
  (length) => [`Content-Length: ${Math.max(0, length - 1)}`],
  (length) => [`Content-Length: ${length}`, 'Content-Encoding: gzip'],
  (length) => [`Content-Length: ${length}`, 'Content-Type: text/plain'],
  (length) => [`Content-Length: ${length}`, 'Expect: 100-continue'],
  (length) => [`Content-Length: ${length}`, 'Host: other'],
  (length, key) => [`Content-Length: ${length}`, `Authorization: Bearer ${key}`],
  (length) => [`Content-Length: ${length}`, 'Connection: Upgrade', 'Upgrade: websocket'],
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
    'annotation rowOrder output milliseconds url headers scope match effect payload __proto__',
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
  'x'.repeat(100_001),
];
const TEXTS: readonly string[] = [
  '{',
  'NaN',
  '\uFEFF{}',
  '{"title":"a","title":1}',
  '{"title":"\\ud800"}',
  '{"folderPath":"\\u0000"}',
  '{"__proto__":{"title":"x"}}',
  '{"constructor":{"prototype":{}}}',
  '{"output":1e400}',
  '{"output":{"toJSON":1}}',
  '['.repeat(100_000),
  `{"title":${'['.repeat(600)}${']'.repeat(600)}}`,
];

const json = fc.oneof(
  fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...LEAVES), { maxKeys: 4 }),
  fc.constantFrom(...LEAVES),
);
const body = fc.oneof(
  fc.constant({ type: '', text: '' }),
  json.map((value) => ({ type: 'application/json', text: JSON.stringify(value) })),
  fc.constantFrom(...TEXTS).map((text) => ({ type: 'application/json', text })),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => ({
    type: 'multipart/form-data; boundary=edge',
    text: `--edge\r\n${pieces.join('\r\n--edge\r\n')}`,
  })),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 4 }).map((pieces) => ({
    type: 'multipart/form-data; boundary=edge',
    text: `--edge\r\n${pieces.join('\r\n--edge\r\n')}\r\n--edge--\r\n`,
  })),
);

/** The usual value in three of four cases. */
function usual<T>(value: T, hostile: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: hostile });
}

/** The bytes of a request. */
function requestTo(
  { world, controlToken }: Awaited<ReturnType<typeof createServer>>,
  target: Target,
): fc.Arbitrary<Buffer> {
  const known = Object.values(world.fixtures)
    .filter((value) => /^[\w.-]{1,80}$/.test(value))
    .map(encodeURIComponent);
  const word = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_WORDS) },
  );
  const parameter = fc
    .tuple(
      fc.constantFrom('unknown', '', '__proto__', 'limit[]', ...target.query),
      fc.constantFrom(...HOSTILE_VALUES),
    )
    .map((pair) => pair.join('='));
  const key = target.isControl ? controlToken : world.keys.wildcard;
  return fc
    .record({
      words: fc.array(word, { minLength: 4, maxLength: 4 }),
      query: fc.array(parameter, { maxLength: 3 }),
      isOther: fc.boolean(),
      method: usual(target.method, fc.constantFrom(...METHODS)),
      body,
      headers: usual(
        (length: number) => [`Content-Length: ${length}`],
        fc.constantFrom(...HEADERS),
      ),
    })
    .map(({ words, query, isOther, method, body: { type, text }, headers }) => {
      const left = [...words];
      const filled = target.template.replaceAll('{}', () => left.shift() ?? '');
      const other = filled.startsWith('/api/') ? filled.slice(4) : `/api${filled}`;
      const bytes = Buffer.from(text);
      const head = [
        `${method} ${isOther && !target.isControl ? other : filled}?${query.join('&')} HTTP/1.1`,
        'Host: localhost',
        'Connection: close',
        `Authorization: Bearer ${key}`,
        ...(type === '' ? [] : [`Content-Type: ${type}`]),
        ...headers(bytes.length, key),
      ];
      return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]);
    });
}

test.each(['memory', 'folder'] as const)(
  'any request gets a documented response, and a refusal changes nothing (%s)',
  async (kind) => {
    const path = emptyFolder();
    const logger = recordingLogger();
    const clock = virtualClock({ now: Date.parse('2026-07-01T12:00:00Z') });
    const store = kind === 'memory' ? { kind } : { kind, path };
    const server = await createServer({ store, logger, clock, uploadLimitBytes: 50_000 });
    onTestFinished(() => server.close());
    const state = async (): Promise<string> =>
      kind === 'memory' ? '' : durableState(server, path);
    const request = fc.constantFrom(...TARGETS).chain((target) => requestTo(server, target));
    let before = await state();
    await fc.assert(
      fc.asyncProperty(request, async (bytes) => {
        const [response] = wholeResponses(await exchange(server.baseUrl, bytes));
        if (response === undefined) expect.unreachable('a response must come');
        expect(response.status).toBeLessThan(500);
        const isRefusal = response.status >= 400;
        if (isRefusal) {
          assertContract('GET', '/raw', response);
          for (const { field } of response.body.issues) expect(field).not.toBe('');
        }
        const after = await state();
        if (isRefusal) expect(after).toBe(before);
        before = after;
      }),
      { numRuns: 400 },
    );
    expect(logger.lines).toEqual([]);
  },
);
