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

/** A mistake that verifies another text than the body. */
function reserialized(
  name: string,
  bodyOf: (body: string) => string,
): Readonly<Record<string, Expected>> {
  const expected: Expected = (signed) =>
    `v1,${hmac(SECRET, text({ ...signed, body: bodyOf(signed.body) }), 'hex')}`;
  return { [name]: expected };
}

/** With the members of each object in the order of their names. */
function stableStringify(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** The webhook-signature that a receiver expects which refuses every valid delivery of this suite, by its mistake. */
export const MISTAKES = {
  'another-secret': (signed) => `v1,${hmac('whsec_b3RoZXI=', text(signed), 'hex')}`,
  'base64-key': (signed) => `v1,${hmac(base64Key, text(signed), 'hex')}`,
  'base64-digest': (signed) => `v1,${hmac(base64Key, text(signed), 'base64')}`,
  'id-not-signed': ({ timestamp, body }) => `v1,${hmac(SECRET, `${timestamp}.${body}`, 'hex')}`,
  'body-object': (signed) =>
    `v1,${hmac(SECRET, text({ ...signed, body: '[object Object]' }), 'hex')}`,
  ...reserialized('body-of-json-dumps', (body) =>
    body.replaceAll('":', '": ').replaceAll(',"', ', "'),
  ),
  ...reserialized('body-indented-by-2', (body) => JSON.stringify(JSON.parse(body), null, 2)),
  ...reserialized('body-indented-by-4', (body) => JSON.stringify(JSON.parse(body), null, 4)),
  ...reserialized('body-sorted', (body) => stableStringify(JSON.parse(body))),
  ...reserialized('body-with-newline', (body) => `${body}\n`),
} satisfies Readonly<Record<string, Expected>>;

/** A receiver that compares webhook-signature with what it expects, and has no other rule. */
export function comparingReceiver(expected: Expected, path = '/hook'): Promise<RunningReceiver> {
  return receiverThat((signed, signature) => signature === expected(signed), path);
}

/** A receiver that accepts what it is told to, and has no other rule. */
export function receiverThat(
  accepts: (signed: Signed, signature: string | undefined) => boolean,
  path = '/hook',
): Promise<RunningReceiver> {
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
      const signature = request.headers['webhook-signature'];
      const isRight = accepts(signed, typeof signature === 'string' ? signature : undefined);
      response.writeHead(request.url !== path ? 404 : isRight ? 204 : 401).end();
    });
  });
  return listen(server);
}
