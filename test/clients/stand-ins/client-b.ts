import { UnusableResponse } from './stand-in.ts';
import type { Reply, StandIn, StandInOptions } from './stand-in.ts';
import { doublingDelay, pollUntil, sendRequest, writeForm } from './transport.ts';
import type { ClientRequest } from './transport.ts';

const ENDED = new Set(['completed', 'failed', 'cancelled', 'rejected']);

/**
 * Stands in for the Python client: it always doubles its delay, writes the slashes of a path, declares the
 * texts of a form as JSON, and ends its poll on the status too.
 */
export function clientB(options: StandInOptions): StandIn {
  const send = (request: ClientRequest): Promise<Response> =>
    sendRequest(options, doublingDelay, request);

  const client: StandIn = {
    async call(method, path, json) {
      const body = json === undefined ? {} : { body: JSON.stringify(json) };
      const headers = json === undefined ? {} : { 'content-type': 'application/json' };
      return readReply(await send({ method, path, headers, ...body }));
    },
    async sendForm(path, parts) {
      const form = writeForm(parts, 'application/json');
      return readReply(await send({ method: 'POST', path, ...form }));
    },
    async put(url, headers, bytes) {
      return (await send({ method: 'PUT', path: url, headers, body: bytes })).status;
    },
    async download(path, kind) {
      const follows = kind === 'file' || kind === 'artifact' || kind === 'archive';
      const response = await send({ method: 'GET', path, follows });
      if (response.status >= 300) throw new UnusableResponse('a redirect instead of content');
      const type = response.headers.get('content-type') ?? '';
      return { type, bytes: Buffer.from(await response.arrayBuffer()) };
    },
    writePath: (path) => path.split('/').map(encodeURIComponent).join('/'),
    readUntilFinished: (runId) =>
      pollUntil(
        options.wait,
        () => client.call('GET', `/runs/${runId}`),
        ({ body }) => body.finished === true || ENDED.has(body.execution?.status),
      ),
  };
  return client;
}

async function readReply(response: Response): Promise<Reply> {
  const { status } = response;
  const text = await response.text();
  if (text === '') {
    if (status !== 204) throw new UnusableResponse(`${status} without a body`);
    return { status, body: undefined };
  }
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/')) throw new UnusableResponse(`${type} instead of JSON`);
  return { status, body: JSON.parse(text) };
}
