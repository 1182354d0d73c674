import { createHmac } from 'node:crypto';

import { headerValue } from '../../http/message.ts';
import type { Outgoing } from '../../http/message.ts';
import { keyBytes } from '../../signing/signer.ts';
import { replaceHeader, withHeader } from '../kit/message.ts';
import type { Defect, Variant } from '../kit/defect.ts';
import type { Seen, When } from './alter.ts';
import {
  defect,
  isAgent,
  isChanged,
  isCreated,
  isRedelivered,
  isRetry,
  isTest,
  only,
  variant,
} from './alter.ts';

const FORMAT = 'webhook-header.signature.format';
const SIGNED = 'signature.message.signed';

/** Signatures of another form, or over another message. */
export const signatureDefects: readonly Defect[] = [
  form('base64', 'in base64', (hex) => `v1,${Buffer.from(hex, 'hex').toString('base64')}`),
  form('without-prefix', 'without v1,', (hex) => hex),
  form('equals-sign', 'with v1=', (hex) => `v1=${hex}`),
  form('version-2', 'of version 2', (hex) => `v2,${hex}`),
  form('sha256', 'with sha256=', (hex) => `sha256=${hex}`),
  form('blank', 'with a blank after the comma', (hex) => `v1, ${hex}`),
  form('quotes', 'in quotes', (hex) => `"v1,${hex}"`),
  form('cut', 'without its last digit', (hex) => `v1,${hex.slice(0, -1)}`),
  form('half', 'cut to half of its length', (hex) => `v1,${hex.slice(0, 32)}`),
  form('padded', 'with one more digit', (hex) => `v1,${hex}0`),
  form('colons', 'with colons between the bytes', (hex) => `v1,${hex.replace(/..(?!$)/g, '$&:')}`),
  form('hex-prefix', 'with 0x', (hex) => `v1,0x${hex}`),
  form('twice', 'written twice', (hex) => `v1,${hex} v1,${hex}`),
  form('with-timestamp', 'after t=', (hex) => `t=0,v1=${hex}`),
  message('body', 'the body alone', ({ body }) => body),
  message('without-id', 'timestamp and body', ({ timestamp, body }) => `${timestamp}.${body}`),
  message('without-timestamp', 'id and body', ({ id, body }) => `${id}.${body}`),
  message(
    'swapped',
    'timestamp, id and body',
    ({ id, timestamp, body }) => `${timestamp}.${id}.${body}`,
  ),
  message(
    'colons',
    'parts with colons between them',
    ({ id, timestamp, body }) => `${id}:${timestamp}:${body}`,
  ),
  message('joined', 'parts without dots', ({ id, timestamp, body }) => `${id}${timestamp}${body}`),
  message(
    'pretty',
    'the body with other white space',
    ({ id, timestamp, body }) => `${id}.${timestamp}.${JSON.stringify(JSON.parse(body), null, 1)}`,
  ),
  message(
    'newline',
    'the body and a line break',
    ({ id, timestamp, body }) => `${id}.${timestamp}.${body}\n`,
  ),
  message(
    'ascii',
    'a body of ASCII characters only',
    ({ id, timestamp, body }) => `${id}.${timestamp}.${body.replaceAll(/[^\0-\x7f]/g, '?')}`,
  ),
  message(
    'escaped',
    'a body whose other characters are escaped',
    ({ id, timestamp, body }) => `${id}.${timestamp}.${body.replaceAll(/[^\0-\x7f]/g, escapeOf)}`,
  ),
  message(
    'cut-body',
    'the first 300 characters of the body',
    ({ id, timestamp, body }) => `${id}.${timestamp}.${body.slice(0, 300)}`,
  ),
  keyed('prefix-only', 'the prefix of the secret', () => Buffer.from('whsec_')),
  keyed('empty', 'an empty key', () => Buffer.alloc(0)),
  keyed('upper-case', 'the secret in upper case', (key) =>
    Buffer.from(Buffer.from(key).toString('utf8').toUpperCase()),
  ),
  keyed('reversed', 'the bytes of the secret in reverse order', (key) =>
    Buffer.from([...key].toReversed()),
  ),
  hashed('sha1', 'HMAC-SHA1', 'sha1'),
  hashed('sha512', 'HMAC-SHA512', 'sha512'),
  broken('retries', 'a retry', isRetry, 'delivery.retry.signed-afresh'),
  broken('redeliveries', 'a redelivery', isRedelivered, SIGNED),
  broken('test-events', 'a test event', isTest, SIGNED),
  broken('agents', 'an event of an agent run', isAgent, SIGNED),
  broken('changes', 'an event of a status change', isChanged, SIGNED),
  broken('creations', 'an event of a creation', isCreated, SIGNED),
  broken(
    'terminal',
    'an event of a completed run',
    ({ run }) => run['status'] === 'completed',
    SIGNED,
  ),
  broken('with-output', 'an event with an output', ({ run }) => 'output' in run, SIGNED),
  defect(
    'signature-of-first-attempt',
    'A retry has the signature of the first attempt.',
    'delivery.retry.signed-afresh',
    only(isRetry, (delivery, { event, key }) => {
      const first = String(Math.floor(Date.parse(String(event['createdAt'])) / 1000));
      return signed(
        delivery,
        key,
        'sha256',
        partsOf(withHeader(delivery, 'webhook-timestamp', first)),
      );
    }),
  ),
];

/** The forms that the contract leaves open. */
export const signatureVariants: readonly Variant[] = [
  variant(
    'digest-in-capitals',
    'Writes the digest in upper case.',
    'signature.digest.case',
    (delivery) =>
      replaceHeader(delivery, 'webhook-signature', `v1,${hexOf(delivery).toUpperCase()}`),
  ),
  ...(['utf8', 'base64', 'hex'] as const).map((encoding) =>
    variant(
      `key-after-prefix-${encoding}`,
      `The key is the part of the secret after whsec_, read as ${encoding}.`,
      'signature.secret.key-bytes',
      (delivery, seen) =>
        signed(
          delivery,
          Buffer.from(secretOf(delivery, seen).replace('whsec_', ''), encoding),
          'sha256',
        ),
    ),
  ),
  variant(
    'key-whole-secret',
    'The key is the whole secret.',
    'signature.secret.key-bytes',
    (delivery, seen) => signed(delivery, keyBytes(secretOf(delivery, seen), 'utf8'), 'sha256'),
  ),
];

interface Parts {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string;
}

function partsOf(delivery: Outgoing): Parts {
  return {
    id: headerValue(delivery.headers, 'webhook-id') ?? '',
    timestamp: headerValue(delivery.headers, 'webhook-timestamp') ?? '',
    body: Buffer.from(delivery.body ?? []).toString('utf8'),
  };
}

function signed(
  delivery: Outgoing,
  key: Uint8Array,
  hash: string,
  { id, timestamp, body } = partsOf(delivery),
): Outgoing {
  return signedText(delivery, key, `${id}.${timestamp}.${body}`, hash);
}

function signedText(delivery: Outgoing, key: Uint8Array, text: string, hash = 'sha256'): Outgoing {
  const value = `v1,${createHmac(hash, key).update(text).digest('hex')}`;
  return replaceHeader(delivery, 'webhook-signature', value);
}

function secretOf({ url }: Outgoing, { knowledge }: Seen): string {
  return knowledge.secretOf(url) ?? '';
}

function hexOf({ headers }: Outgoing): string {
  return (headerValue(headers, 'webhook-signature') ?? '').replace('v1,', '');
}

function form(name: string, what: string, write: (hex: string) => string): Defect {
  return defect(`signature-${name}`, `The signature is ${what}.`, FORMAT, (delivery) =>
    replaceHeader(delivery, 'webhook-signature', write(hexOf(delivery))),
  );
}

function message(name: string, what: string, write: (parts: Parts) => string): Defect {
  return defect(`signature-over-${name}`, `Signs ${what}.`, SIGNED, (delivery, { key }) =>
    signedText(delivery, key, write(partsOf(delivery))),
  );
}

function keyed(name: string, what: string, change: (key: Uint8Array) => Uint8Array): Defect {
  return defect(`signature-key-${name}`, `The key is ${what}.`, SIGNED, (delivery, { key }) =>
    signed(delivery, change(key), 'sha256'),
  );
}

function hashed(name: string, what: string, hash: string): Defect {
  return defect(
    `signature-${name}`,
    `Signs with ${what}.`,
    hash === 'sha256' ? SIGNED : FORMAT,
    (delivery, { key }) => signed(delivery, key, hash),
  );
}

function withWrongSignature(delivery: Outgoing, { key }: Seen): Outgoing {
  return signedText(delivery, key, 'another message');
}

/** A signature of the right form that does not match. */
function broken(name: string, what: string, when: When, breaks: string): Defect {
  return defect(
    `signature-wrong-on-${name}`,
    `The signature of ${what} does not match.`,
    breaks,
    only(when, withWrongSignature),
  );
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
