// Closes a server while a run goes on, an export and a download stay half read, and two uploads half sent.
import { request as open } from 'node:http';
import { once } from 'node:events';

import { createServer } from '@hookproof/server-reference';

const server = await createServer({ store: JSON.parse(process.argv[2]) });
const { baseUrl, world, controlToken } = server;
const { workflowId, datasetAutomationId } = world.fixtures;
const headers = { authorization: `Bearer ${world.keys.wildcard}` };
const json = { ...headers, 'content-type': 'application/json' };

const run = await fetch(`${baseUrl}/v1/runs`, {
  method: 'POST',
  headers: json,
  body: JSON.stringify({ target: workflowId }),
});
await run.text();

const made = await fetch(`${baseUrl}/_control/examples`, {
  method: 'POST',
  headers: { ...json, authorization: `Bearer ${controlToken}` },
  body: JSON.stringify({ name: 'large', input: [{ path: 'large.bin', size: 50_000_000 }] }),
});
await made.text();

/** Begins to read an answer and stops. */
async function beginReading(path) {
  const asked = open(baseUrl + path, { headers });
  asked.on('error', () => {});
  asked.end();
  const [answer] = await once(asked, 'response');
  answer.on('error', () => {});
  await once(answer, 'readable');
  return answer.statusCode;
}

/** Begins to send bytes, until the server has asked for them, and stops. */
async function beginSending(url, method, sent) {
  const asked = open(url, {
    method,
    headers: { ...sent, 'content-length': 1e6, expect: '100-continue' },
  });
  asked.on('error', () => {});
  asked.flushHeaders();
  await once(asked, 'continue');
  return asked;
}

const exported = [
  await beginReading(`/v1/automations/${datasetAutomationId}/dataset/export`),
  await beginReading(`/v1/automations/${datasetAutomationId}/dataset/export`),
];
const form = await beginSending(`${baseUrl}/v1/files`, 'POST', {
  ...headers,
  'content-type': 'multipart/form-data; boundary=b',
});
form.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf');
const begun = await fetch(`${baseUrl}/v1/files/uploads`, {
  method: 'POST',
  headers: json,
  body: JSON.stringify({ filename: 'a', contentType: 'text/plain', size: 1_000_000 }),
});
const { uploadUrl, headers: sent } = await begun.json();
(await beginSending(uploadUrl, 'PUT', sent)).write('half');

await server.close();
process.stdout.write(`${[run.status, ...exported].join(' ')} closed\n`);
