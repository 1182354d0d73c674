import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';

import { listen } from '../../../proof/receivers/listen.ts';
import type { RunningReceiver } from '../../../proof/receivers/running-receiver.ts';
import { SECRET } from '../../../proof/receivers/secret.ts';

/** What is signed: the values of the headers and the text of the body. */
interface Signed {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string;
}

type Expected = (signed: Signed) => string;

const hmac = (key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', key).update(text).digest(encoding);
const base64Key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
const text = ({ id, timestamp, body }: Signed): string => `${id}.${timestamp}.${body}`;

/** The webhook-signature that a receiver expects which refuses every valid delivery of this suite, by its mistake. */
export const MISTAKES = {
  'another-secret': (signed) => `v1,${hmac('whsec_b3RoZXI=', text(signed), 'hex')}`,
  'base64-key': (signed) => `v1,${hmac(base64Key, text(signed), 'hex')}`,
  'base64-digest': (signed) => `v1,${hmac(base64Key, text(signed), 'base64')}`,
  'id-not-signed': ({ timestamp, body }) => `v1,${hmac(SECRET, `${timestamp}.${body}`, 'hex')}`,
  'body-object': (signed) =>
    `v1,${hmac(SECRET, text({ ...signed, body: '[object Object]' }), 'hex')}`,
  'body-of-json-dumps': (signed) => {
    const body = signed.body.replaceAll('":', '": ').replaceAll(',"', ', "');
    return `v1,${hmac(SECRET, text({ ...signed, body }), 'hex')}`;
  },
} satisfies Readonly<Record<string, Expected>>;

/** A receiver that compares webhook-signature with what it expects, and has no other rule. */
export function comparingReceiver(expected: Expected, path = '/hook'): Promise<RunningReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { 'webhook-id': id, 'webhook-timestamp': timestamp } = request.headers;
      const signed = {
        id: String(id),
        timestamp: String(timestamp),
        body: Buffer.concat(chunks).toString(),
      };
      const isRight = request.headers['webhook-signature'] === expected(signed);
      response.writeHead(request.url !== path ? 404 : isRight ? 204 : 401).end();
    });
  });
  return listen(server);
}
