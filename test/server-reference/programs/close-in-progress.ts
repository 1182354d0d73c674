// Closes a server during a run, two half-read exports and two half-sent uploads.
import { once } from 'node:events';
import { request as open } from 'node:http';
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';

import { createServer } from '@hookproof/server-reference';

const [store = ''] = process.argv.slice(2);
const server = await createServer({ store: JSON.parse(store) });
const { baseUrl, world } = server;
const { workflowId, datasetAutomationId } = world.fixtures;
const headers = { authorization: `Bearer ${world.keys.wildcard}` };
const json = { ...headers, 'content-type': 'application/json' };

const run = await fetch(`${baseUrl}/v1/runs`, {
  method: 'POST',
  headers: json,
  body: JSON.stringify({ target: workflowId }),
});
await run.text();

const examples = `${baseUrl}/v1/automations/${datasetAutomationId}/examples`;
const created = await fetch(examples, {
  method: 'POST',
  headers: json,
  body: JSON.stringify({ name: 'large' }),
});
const example: { readonly id: string } = JSON.parse(await created.text());
const files = new FormData();
files.append('file', new File(['x'.repeat(50_000_000)], 'large.bin'));
await fetch(`${examples}/${example.id}/input`, { method: 'POST', headers, body: files });

/** Reads the beginning of a response and stops. */
async function beginReading(path: string): Promise<number | undefined> {
  const request = open(baseUrl + path, { headers });
  request.on('error', () => {});
  request.end();
  const [response]: IncomingMessage[] = await once(request, 'response');
  response?.on('error', () => {});
  if (response !== undefined) await once(response, 'readable');
  return response?.statusCode;
}

/** Sends headers, waits for 100 Continue, and stops. */
async function beginSending(
  url: string,
  method: string,
  more: OutgoingHttpHeaders,
): Promise<ClientRequest> {
  const request = open(url, {
    method,
    headers: { ...more, 'content-length': 1e6, expect: '100-continue' },
  });
  request.on('error', () => {});
  request.flushHeaders();
  await once(request, 'continue');
  return request;
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
const upload = await fetch(`${baseUrl}/v1/files/uploads`, {
  method: 'POST',
  headers: json,
  body: JSON.stringify({ filename: 'a', contentType: 'text/plain', size: 1_000_000 }),
});
const ticket: { readonly uploadUrl: string; readonly headers: Record<string, string> } = JSON.parse(
  await upload.text(),
);
(await beginSending(ticket.uploadUrl, 'PUT', ticket.headers)).write('half');

await server.close();
process.stdout.write(`${[run.status, ...exported].join(' ')} closed\n`);
