import type { ReferenceServer } from '@hookproof/server-reference';

/** Calls to append to the program of a client, and what they print. */
interface MoreCalls {
  readonly program: string;
  readonly printed: readonly string[];
}

const PRINTED = [
  'accepted false workflow',
  'args {"order":7,"note":{"$file":"input/note.txt"},"scan":{"$file":"input/scan/note.txt"}}',
  'metadata {"batch":"spring"}',
  'usage number',
  'form args {"order":8,"scan":{"$file":"input/scan.txt"}}',
  'waited true completed [] null',
  'step {"rows":[]}',
  'list 1 true',
  'cancel already_terminal completed',
  'upload 2 http',
  'file scan.txt 4',
  'example {"order":9} {"source":"mail"} {"steps":{"process":{"rows":[]}}}',
  'review correct closed',
  'corrected reports/scan.txt',
];

/**
 * Writes calls of a client with the types of openapi-typescript. They send and read the members without a
 * fixed form, send every form, and wait for the end of a run. The clock of the server must be virtual.
 */
export function shapesProgram({ world, controlUrl, controlToken }: ReferenceServer): MoreCalls {
  const { keys, fixtures } = world;
  const program = `
const headers = { authorization: ${literal(`Bearer ${keys.wildcard}`)} };
const show = (...values: unknown[]): void =>
  console.log(values.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(' '));
const asForm = (body: object): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(body) as [string, unknown][])
    for (const one of [value].flat())
      data.append(name, one instanceof Blob ? one : typeof one === 'string' ? one : JSON.stringify(one));
  return data;
};
const advance = (): Promise<Response> =>
  fetch(${literal(`${controlUrl}/clock/advance`)}, {
    method: 'POST',
    headers: { authorization: ${literal(`Bearer ${controlToken}`)}, 'content-type': 'application/json' },
    body: JSON.stringify({ milliseconds: 1_000 }),
  });
const target = ${literal(fixtures.workflowId)};
const $inline = { filename: 'note.txt', mimeType: 'text/plain', base64: 'bm90ZQ==' };
const scan = new File(['scan'], 'scan.txt', { type: 'text/plain' });
${STARTS}
${READS}
${WRITES}`;
  return { program, printed: PRINTED };
}

const STARTS = `
const started = await client.POST('/v1/runs', {
  headers,
  params: { query: { wait_for_completion: 0 } },
  body: {
    target,
    input: { order: 7, note: { $inline } },
    files: { scan: { $inline } },
    overrides: { steps: { 'read-input': { rows: [] } } },
    metadata: { batch: 'spring' },
  },
});
show('accepted', started.data?.finished, started.data?.type);
const id = started.data?.id ?? '';
const view = await client.GET('/v1/runs/{id}', {
  headers,
  params: { path: { id }, query: { expand: 'input,usage,execution,debug' } },
});
show('args', view.data?.input?.args);
show('metadata', view.data?.input?.metadata);
await client.POST('/v1/runs/{id}/rerun', {
  headers,
  params: { path: { id }, query: { version: 'original', wait_for_completion: 0 } },
});
show('usage', typeof view.data?.usage?.tokens.cacheRead);
const formed = await client.POST('/v1/runs', {
  headers,
  body: { target, input: { order: 8 }, metadata: { batch: 'autumn' }, 'files.scan': [scan] },
  bodySerializer: (body) => asForm(body),
});
const form8 = await client.GET('/v1/runs/{id}', {
  headers,
  params: { path: { id: formed.data?.id ?? '' }, query: { expand: 'input' } },
});
show('form args', form8.data?.input?.args);`;

const READS = `
let hasEnded = false;
const waiting = client
  .POST('/v1/runs', {
    headers,
    params: { query: { wait_for_completion: 60, version: 'latest' } },
    body: { target, overrides: { steps: { 'save-output': {} } } },
  })
  .finally(() => (hasEnded = true));
while (!hasEnded) await advance();
const waited = await waiting;
if (waited.data === undefined || !('execution' in waited.data)) throw new Error('the run has not ended');
const { finished, status, files, error } = waited.data;
show('waited', finished, status, files, error);
const steps = await client.GET('/v1/runs/{id}/steps', { headers, params: { path: { id } } });
show('step', steps.data?.steps.find(({ stepName }) => stepName === 'read-input')?.output);
const ended = { path: { id: waited.data.id } };
const page = await client.GET('/v1/runs', { headers, params: { query: { limit: 1, status: 'completed,failed' } } });
show('list', page.data?.runs.length, typeof page.data?.nextCursor === 'string' && page.data.runs[0]?.timing !== undefined);
const cancelled = await client.POST('/v1/runs/{id}/cancel', { headers, params: ended });
show('cancel', cancelled.data?.cancellation.state, cancelled.data?.execution.status);
const upload = await client.POST('/v1/files/uploads', {
  headers,
  body: { filename: 'a.txt', contentType: 'text/plain', size: 2, purpose: 'run-input', idempotencyKey: 'shapes' },
});
if (upload.data?.transport !== 'presigned-put') throw new Error('no session');
await fetch(upload.data.url, { method: 'PUT', headers: upload.data.headers, body: 'hi' });
const session = { path: { uploadId: upload.data.uploadId } };
const completed = await client.POST('/v1/files/uploads/{uploadId}/complete', { headers, params: session });
show('upload', completed.data?.size, new URL(upload.data.url).protocol.slice(0, 4));
const file = await client.POST('/v1/files', {
  headers,
  body: { file: scan, purpose: 'run-input' },
  bodySerializer: (body) => asForm(body),
});
show('file', file.data?.filename, file.data?.size);`;

const WRITES = `
const example = await client.POST('/v1/automations/{id}/examples', {
  headers,
  params: { path: { id: target } },
  body: {
    input: { order: 9 },
    metadata: { source: 'mail' },
    overrides: { steps: { process: { rows: [] } } },
  },
});
show('example', example.data?.input, example.data?.metadata, example.data?.overrides);
const review = await client.PUT('/v1/runs/{id}/reviews', {
  headers,
  params: ended,
  body: { verdict: 'correct', correctedOutput: { rows: [1] } },
});
show('review', review.data?.review?.verdict, review.data?.review?.status);
const corrected = await client.POST('/v1/runs/{id}/reviews/expected', {
  headers,
  params: ended,
  body: { file: scan, name: 'reports/scan.txt' },
  bodySerializer: (body) => asForm(body),
});
show('corrected', corrected.data?.name);`;

function literal(value: unknown): string {
  return JSON.stringify(value);
}
