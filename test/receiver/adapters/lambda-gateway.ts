import type { IncomingMessage, RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';

import type { Receiver } from '@hookproof/receiver';
import { lambdaHandler } from '@hookproof/receiver/lambda';
import type { LambdaEvent, LambdaHandler } from '@hookproof/receiver/lambda';

import type { Framework } from './frameworks.ts';

type MakeEvent = (request: IncomingMessage, body: Buffer) => LambdaEvent;

const pairsOf = ({ rawHeaders }: IncomingMessage): (readonly [string, string])[] =>
  Array.from({ length: rawHeaders.length / 2 }, (_, at) => [
    rawHeaders[2 * at] ?? '',
    rawHeaders[2 * at + 1] ?? '',
  ]);

/** As `headers` of REST APIs and load balancers: the names as sent, the last value of each. */
const lastHeaders = (request: IncomingMessage) => Object.fromEntries(pairsOf(request));

const multiValueHeaders = (request: IncomingMessage) => {
  const all: Record<string, string[]> = {};
  for (const [name, value] of pairsOf(request)) (all[name] ??= []).push(value);
  return all;
};

/** As HTTP APIs and function URLs: lower case, values joined by commas. */
const joinedHeaders = (request: IncomingMessage) =>
  Object.fromEntries(
    Object.entries(request.headersDistinct).map(([name, values]) => [name, values?.join(',')]),
  );

const plain = (body: Buffer) => ({
  body: body.length === 0 ? null : body.toString(),
  isBase64Encoded: false,
});
const base64 = (body: Buffer) => ({ body: body.toString('base64'), isBase64Encoded: true });

const version2 = (request: IncomingMessage) => ({
  version: '2.0',
  rawPath: request.url,
  requestContext: { http: { method: request.method ?? '', path: request.url } },
  headers: joinedHeaders(request),
});

const EVENTS: readonly (readonly [string, MakeEvent, Framework['repeatedHeaders']])[] = [
  [
    'a REST API',
    (request, body) => ({
      httpMethod: request.method ?? '',
      headers: lastHeaders(request),
      multiValueHeaders: multiValueHeaders(request),
      requestContext: {},
      ...plain(body),
    }),
    'kept',
  ],
  ['an HTTP API', (request, body) => ({ ...version2(request), ...plain(body) }), 'joined'],
  ['a function URL', (request, body) => ({ ...version2(request), ...base64(body) }), 'joined'],
  [
    'a load balancer',
    (request, body) => ({
      httpMethod: request.method ?? '',
      headers: lastHeaders(request),
      requestContext: {},
      ...plain(body),
    }),
    'last',
  ],
  [
    'a load balancer with multi-value headers',
    (request, body) => ({
      httpMethod: request.method ?? '',
      multiValueHeaders: multiValueHeaders(request),
      requestContext: {},
      ...base64(body),
    }),
    'kept',
  ],
];

/** Stands in for AWS: turns each request into an event, and the result into a response. */
export function gateway(handler: LambdaHandler, makeEvent: MakeEvent): RequestListener {
  const respond: (...exchange: Parameters<RequestListener>) => Promise<void> = async (
    request,
    response,
  ) => {
    const event = makeEvent(request, await buffer(request));
    const { statusCode, headers, multiValueHeaders: lists, body } = await handler(event);
    if ((lists === undefined) === (headers === undefined)) throw new Error('one kind of headers');
    if ((headers === undefined) !== (event.headers === undefined)) throw new Error('other headers');
    const length = { 'content-length': body.length };
    response.writeHead(statusCode, { ...(lists ?? headers), ...length }).end(body);
  };
  return (request, response) => void respond(request, response);
}

export const LAMBDA: readonly Framework[] = EVENTS.map(([what, makeEvent, repeatedHeaders]) => ({
  name: `AWS Lambda behind ${what}`,
  repeatedHeaders: repeatedHeaders ?? 'kept',
  isBuffered: true,
  behindParser: { status: 500, fix: 'an event whose body a middleware parsed' },
  async listener(receiver: Receiver, parseFirst: boolean) {
    const handler = lambdaHandler(receiver);
    const parse = (event: LambdaEvent): LambdaEvent =>
      parseFirst ? { ...event, body: {} as string } : event;
    const listener = gateway((event) => handler(parse(event)), makeEvent);
    return (request, response) => {
      if (request.url === '/hooks') listener(request, response);
      else response.end('other');
    };
  },
}));
