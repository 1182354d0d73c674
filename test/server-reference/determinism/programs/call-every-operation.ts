// Every operation of the API with a successful response, and with the errors that precede it.
import { createHash } from 'node:crypto';

import type { ReferenceServer } from '@hookproof/server-reference';

import { callEvaluation } from './call-evaluation.ts';
import type { Call, Transcript } from './transcript.ts';

const UPLOADED = Buffer.from('carrier,rate\nNorthway,12.40\n');

/** Calls all operations, in an order in which no call removes what a later one needs. */
export async function callEveryOperation(
  { call }: Transcript,
  { world }: ReferenceServer,
): Promise<void> {
  const f = world.fixtures;
  const headers = { authorization: `Bearer ${world.keys.wildcard}` };
  const ask: Call = (method, path, more = {}) =>
    call(method, path, { ...more, headers: { ...headers, ...more.headers } });

  await ask('GET', '/v1/auth/check');
  await ask('GET', '/v1/dataset-review-requests?status=open');
  const review = `/v1/automations/${f.reviewAutomationId}/dataset-review-requests/${f.openReviewId}`;
  await ask('PATCH', review, { json: { title: 'Totals of March' } });
  await ask('GET', '/v1/automations?limit=100');
  await ask('GET', `/v1/automations/${f.workflowId}`);
  await ask('PATCH', `/v1/automations/${f.workflowId}`, { json: { folderId: f.folderId } });
  const example = `/v1/automations/${f.datasetAutomationId}/examples/${f.exampleId}`;
  await ask('GET', `/v1/automations/${f.datasetAutomationId}/dataset/export`);
  await ask('PATCH', `${example}/expected/${f.expectedFilePath}`, {
    json: { newFilename: 'totals.json' },
  });
  await ask('DELETE', `${example}/input/${f.inputFilePath}`);
  await ask('GET', `/v1/automations/${f.datasetAutomationId}/dataset/export`);
  await callEvaluation(ask, f);
  await ask('GET', `/v1/experiments/${f.experimentId}`);
  await ask('GET', '/v1/templates');
  await ask('GET', '/api/v1/agents');
  await ask('GET', '/v1/runs?limit=100');
  await callRunOperations(ask, f);
  await ask('GET', `/v1/files/${f.fileId}`);
  await ask('GET', `/v1/files/${f.fileId}/content`);
  await uploadFile(ask);
  await uploadDirectly(ask, call);

  for (const path of ['/v1/runs', '/v1/nowhere', `/v1/runs/${f.otherTenantRunId}`]) {
    await call('GET', path);
    await ask('GET', path, { headers: { authorization: 'Bearer wrong' } });
    await ask('GET', `${path}?limit=0`);
  }
  await ask('PATCH', review, { body: '{', headers: { 'content-type': 'application/json' } });
  await ask('PATCH', review, { json: { status: 'unheard-of' } });
  await ask('DELETE', '/v1/templates');
}

async function callRunOperations(
  ask: Call,
  f: ReferenceServer['world']['fixtures'],
): Promise<void> {
  const started = await ask('POST', '/v1/runs', { json: { target: f.workflowId } });
  await ask('POST', `/v1/runs/${String(started.body?.['id'] ?? started.body?.['runId'])}/cancel`);
  await ask('POST', `/v1/runs/${f.runId}/rerun`);
  for (const part of ['steps', 'events', 'trace', 'scores', 'artifacts', 'reviews']) {
    await ask('GET', `/v1/runs/${f.runId}/${part}`);
  }
  await ask('GET', `/v1/runs/${f.runId}/artifacts/output/${f.outputFileName}`);
  await ask('GET', `/v1/runs/${f.runId}`);
  await ask('GET', `/api/v1/runs/${f.runId}`);
  await ask('GET', `/v1/runs/${f.runId}/usage`);
  await ask('GET', `/v1/runs/${f.reviewedRunId}/reviews/expected`);
  const output = { outputFileName: f.outputFileName };
  await ask('POST', `/v1/runs/${f.runId}/feedback/expected`, { json: output });
  await ask('POST', `/api/v1/runs/${f.runId}/feedback/expected`, { json: output });
  await ask('POST', `/v1/runs/${f.runId}/promote`, { json: { name: 'promoted' } });
  await callReviewOperations(ask, `/v1/runs/${f.runId}/reviews`, output);
  await ask('DELETE', `/v1/runs/${f.reviewedRunId}/reviews`);
}

async function callReviewOperations(ask: Call, reviews: string, output: object): Promise<void> {
  const corrections = [{ kind: 'field', path: '/matched', correctedValue: 1 }];
  await ask('PUT', reviews, { json: { verdict: 'incorrect', corrections } });
  await ask('PUT', reviews, { json: { verdict: 'correct' } });
  await ask('PATCH', reviews, { json: { note: 'Done.' } });
  await ask('GET', reviews);
  await ask('POST', `${reviews}/expected`, { json: { ...output, expectedName: 'a/copy.csv' } });
  await ask('GET', `${reviews}/expected/a%2Fcopy.csv`);
  await ask('PATCH', `${reviews}/expected/a%2Fcopy.csv`, { json: { name: 'b.csv' } });
  await ask('DELETE', `${reviews}/expected/b.csv`);
}

async function uploadFile(ask: Call): Promise<void> {
  const body = [
    '--edge',
    'content-disposition: form-data; name="file"; filename="rates.csv"',
    'content-type: text/csv',
    '',
    UPLOADED.toString(),
    '--edge--',
    '',
  ].join('\r\n');
  const type = { 'content-type': 'multipart/form-data; boundary=edge' };
  await ask('POST', '/v1/files', { body, headers: type });
}

async function uploadDirectly(ask: Call, call: Call): Promise<void> {
  const declared = {
    filename: 'rates.csv',
    contentType: 'text/csv',
    size: UPLOADED.length,
    sha256: createHash('sha256').update(UPLOADED).digest('hex'),
    purpose: 'run-input',
  };
  const aborted = await ask('POST', '/v1/files/uploads', { json: declared });
  await ask('DELETE', `/v1/files/uploads/${String(aborted.body?.['uploadId'])}`);
  const { body } = await ask('POST', '/v1/files/uploads', { json: declared });
  await call('PUT', String(body?.['uploadUrl']), {
    body: UPLOADED,
    headers: { 'content-type': 'text/csv' },
  });
  await ask('POST', `/v1/files/uploads/${String(body?.['uploadId'])}/complete`);
  await ask('DELETE', `/v1/files/${String(body?.['fileId'])}`);
}
