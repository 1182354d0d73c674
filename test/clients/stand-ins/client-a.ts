import { UnusableResponse } from './stand-in.ts';
import type { DownloadKind, Reply, StandIn, StandInOptions } from './stand-in.ts';
import { pollUntil, requestedDelay, sendRequest, writeForm } from './transport.ts';
import type { ClientRequest } from './transport.ts';

const OCTETS_OR_ZIP = /^application\/(octet-stream|zip)\b/;

const TAKES: Readonly<Record<DownloadKind, (type: string) => boolean>> = {
  file: (type) => !/json|html/.test(type),
  artifact: (type) => OCTETS_OR_ZIP.test(type),
  stored: (type) => OCTETS_OR_ZIP.test(type),
  archive: (type) => OCTETS_OR_ZIP.test(type),
  export: (type) => OCTETS_OR_ZIP.test(type) || type.includes('json'),
};

/**
 * Stands in for the JavaScript client: it obeys `Retry-After`, writes a path as one segment, sends texts of a
 * form without a media type, and throws for every media type that it does not expect.
 */
export function clientA(options: StandInOptions): StandIn {
  const send = (request: ClientRequest): Promise<Response> =>
    sendRequest(options, requestedDelay, request);

  const client: StandIn = {
    async call(method, path, json) {
      const body = json === undefined ? {} : { body: JSON.stringify(json) };
      const headers = json === undefined ? {} : { 'content-type': 'application/json' };
      return readReply(await send({ method, path, headers, ...body }));
    },
    async sendForm(path, parts) {
      return readReply(await send({ method: 'POST', path, ...writeForm(parts, null) }));
    },
    async put(url, headers, bytes) {
      return (await send({ method: 'PUT', path: url, headers, body: bytes })).status;
    },
    async download(path, kind) {
      const response = await send({ method: 'GET', path, follows: true });
      const type = response.headers.get('content-type') ?? '';
      if (!TAKES[kind](type)) throw new UnusableResponse(`${type} for a download of ${kind}`);
      return { type, bytes: Buffer.from(await response.arrayBuffer()) };
    },
    writePath: encodeURIComponent,
    readUntilFinished: (runId) =>
      pollUntil(
        options.wait,
        () => client.call('GET', `/runs/${runId}`),
        ({ body }) => body.finished === true,
      ),
  };
  return client;
}

async function readReply(response: Response): Promise<Reply> {
  const { status } = response;
  if (status === 204) return { status, body: undefined };
  const type = response.headers.get('content-type');
  if (type === null) throw new UnusableResponse('a stream that is not read');
  if (!type.includes('json')) throw new UnusableResponse(`${type} instead of JSON`);
  return { status, body: await response.json() };
}
