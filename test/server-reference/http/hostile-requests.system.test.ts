import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';

import { assertContract } from '../contract-client.ts';
import { durableState } from '../durable-state.ts';
import { exchange, wholeResponses } from '../raw-exchange.ts';
import { recordingLogger } from '../store/recording-logger.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';

/** Routes by method, key and path; `{}` is replaced by an id. */
function routesOf({ world, controlToken }: ReferenceServer): fc.Arbitrary<string[]> {
  const { reviewAutomationId, openReviewId } = world.fixtures;
  const api = world.keys.wildcard;
  return fc.constantFrom(
    ['GET', api, '/v1/auth/check'],
    ['GET', api, '/v1/dataset-review-requests'],
    ['GET', api, '/v1/templates'],
    ['GET', api, '/api/v1/agents'],
    ['GET', api, '/v1/runs/{}'],
    ['GET', api, '/api/v1/runs/{}'],
    ['PATCH', api, '/v1/automations/{}'],
    ['PATCH', api, '/v1/automations/{}/dataset-review-requests/{}'],
    ['PATCH', api, `/v1/automations/${reviewAutomationId}/dataset-review-requests/${openReviewId}`],
    ['POST', controlToken, '/_control/runs'],
    ['POST', controlToken, '/_control/runs/{}/moves'],
    ['POST', controlToken, '/_control/clock/advance'],
    ['GET', controlToken, '/_control/deliveries'],
  );
}

const HOSTILE_IDS: readonly string[] = (
  '__proto__ constructor workflows. agents.__proto__ . .. * ( :id %00 %2e%2e %2F a%2Fb % %zz %c0%af ' +
  `%ED%A0%80 %0d%0aX:y %252F ${'x'.repeat(5000)}`
).split(' ');
const HOSTILE_QUERIES: readonly string[] = (
  '? ?limit=1&limit=1 ?limit=٣ ?limit=%D9%A3 ?offset=9007199254740992 ?% ?limit=1e1 ?__proto__=1 ' +
  `?status=open&status=draft ?status=%00 ?limit[]=1 ?search=${'x'.repeat(5000)} ?offset=${'9'.repeat(400)}`
).split(' ');
const METHODS = ['PUT', 'OPTIONS', 'TRACE', 'PROPFIND', 'DELETE', 'get', 'X'];
const BODIES: readonly string[] = [
  '',
  '{}',
  '{',
  '[]',
  'null',
  '"x"',
  'NaN',
  '\uFEFF{}',
  '{"title":"a","title":1}',
  '{"folderPath":"A/B"}',
  '{"folderId":null}',
  '{"title":"\\ud800"}',
  '{"folderPath":"\\u0000"}',
  '{"__proto__":{"title":"x"}}',
  '{"constructor":{"prototype":{}}}',
  '{"output":1e400}',
  '{"output":{"toJSON":1}}',
  '{"status":"running"}',
  '{"status":"open"}',
  '{"milliseconds":1}',
  '['.repeat(100_000),
  `{"title":${'['.repeat(600)}${']'.repeat(600)}}`,
];
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

/** The usual value in three of four cases. */
function usual<T>(value: T, hostile: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: hostile });
}

/** A server on a store, and a reader of its whole state, which a folder shows. */
async function open(kind: 'memory' | 'folder'): Promise<{
  readonly server: ReferenceServer;
  readonly logger: ReturnType<typeof recordingLogger>;
  readonly readState: () => Promise<string>;
}> {
  const logger = recordingLogger();
  if (kind === 'memory') {
    const server = await createServer({ store: { kind }, logger });
    return { server, logger, readState: async () => '' };
  }
  const path = await temporaryFolder();
  const server = await createServer({ store: { kind, path }, logger });
  return { server, logger, readState: () => durableState(server, path) };
}

const STORES = ['memory', 'folder'] as const;

test.each(STORES)(
  'any request gets a documented response, and a refusal changes nothing (%s)',
  async (kind) => {
    const { server, logger, readState } = await open(kind);
    onTestFinished(() => server.close());
    const { workflowId, agentId, runId, openReviewId } = server.world.fixtures;
    const id = fc.oneof(
      fc.constantFrom(workflowId, agentId, runId, openReviewId),
      fc.constantFrom(...HOSTILE_IDS),
    );
    const request = fc.record({
      route: routesOf(server),
      ids: fc.tuple(id, id),
      method: usual(undefined, fc.constantFrom(...METHODS)),
      query: usual('', fc.constantFrom(...HOSTILE_QUERIES)),
      body: fc.constantFrom(...BODIES),
      headers: usual(
        (length: number) => [`Content-Length: ${length}`],
        fc.constantFrom(...HEADERS),
      ),
    });

    let before = await readState();
    await fc.assert(
      fc.asyncProperty(request, async ({ route, ids, method, query, body, headers }) => {
        const [usualMethod = '', key = '', template = ''] = route;
        const left = [...ids];
        const path = template.replaceAll('{}', () => left.shift() ?? '');
        const head = [
          `${method ?? usualMethod} ${path}${query} HTTP/1.1`,
          'Host: localhost',
          `Authorization: Bearer ${key}`,
          'Content-Type: application/json',
          ...headers(Buffer.byteLength(body), key),
        ];
        const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
        const text = await exchange(server.baseUrl, bytes);
        const [response] = wholeResponses(text);
        expect(response, 'a response came').toBeDefined();
        if (response === undefined) return;
        expect(response.status).toBeLessThan(500);
        if (response.status >= 400) assertContract('GET', '/raw', response);
        const after = await readState();
        if (response.status >= 400) expect(after).toBe(before);
        before = after;
      }),
      { numRuns: 250 },
    );
    expect(logger.lines).toEqual([]);
  },
);
