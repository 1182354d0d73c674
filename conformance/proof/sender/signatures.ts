import { createHmac } from 'node:crypto';

import { headerValue } from '@hookproof/conformance/hooks';
import type { Outgoing } from '@hookproof/conformance/hooks';

import { defect } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { replaceHeader, sign, withHeader } from '../kit/message.ts';
import { isChanged, isRedelivered, isRetry, isTest, onDelivery } from '../kit/sender.ts';
import type { Seen } from '../kit/sender.ts';

const FORMAT = 'webhook-header.signature.format';
const SIGNED = 'signature.message.signed';
const AFRESH = 'delivery.retry.signed-afresh';

/** Signatures of another form, or over another message. */
export const signatureDefects: readonly Defect[] = [
  defect({
    id: 'signature-base64',
    breaks: FORMAT,
    does: 'Writes the digest in base64.',
    sender: writtenAs((hex) => `v1,${Buffer.from(hex, 'hex').toString('base64')}`),
  }),
  defect({
    id: 'signature-without-prefix',
    breaks: FORMAT,
    does: 'Writes the signature without its prefix.',
    sender: writtenAs((hex) => hex),
  }),
  defect({
    id: 'signature-cut',
    breaks: FORMAT,
    does: 'Leaves out the last digit of the digest.',
    sender: writtenAs((hex) => `v1,${hex.slice(0, -1)}`),
  }),
  defect({
    id: 'signature-of-retries-with-other-key-bytes',
    breaks: SIGNED,
    does: 'Signs retries and redeliveries with the text after whsec_, and first attempts with another form of the secret.',
    sender: onDelivery(
      (delivery, { knowledge }) => {
        const secret = knowledge.secretOf(delivery.url) ?? '';
        return sign(delivery, Buffer.from(secret.replace(/^whsec_/, ''), 'utf8'));
      },
      ({ attempt }) => attempt > 1,
    ),
  }),
  defect({
    id: 'signature-twice',
    breaks: FORMAT,
    does: 'Writes a list of two signatures.',
    sender: writtenAs((hex) => `v1,${hex} v1,${hex}`),
  }),
  defect({
    id: 'signature-over-without-id',
    breaks: SIGNED,
    does: 'Signs timestamp and body without the id.',
    sender: over(({ timestamp, body }) => `${timestamp}.${body}`),
  }),
  defect({
    id: 'signature-over-pretty',
    breaks: SIGNED,
    does: 'Signs the body with other white space.',
    sender: over(
      ({ id, timestamp, body }) =>
        `${id}.${timestamp}.${JSON.stringify(JSON.parse(body), null, 1)}`,
    ),
  }),
  defect({
    id: 'signature-over-ascii',
    breaks: SIGNED,
    does: 'Signs the body with question marks for non-ASCII characters.',
    sender: over(
      ({ id, timestamp, body }) => `${id}.${timestamp}.${body.replaceAll(/[^\0-\x7f]/g, '?')}`,
    ),
  }),
  defect({
    id: 'signature-key-empty',
    breaks: SIGNED,
    does: 'Signs with an empty key.',
    sender: onDelivery((delivery) => signed(delivery, Buffer.alloc(0))),
  }),
  defect({
    id: 'signature-of-first-attempt',
    breaks: AFRESH,
    does: 'A retry has the signature of the first attempt.',
    sender: onDelivery((delivery, { event, key }) => {
      const first = String(Math.floor(Date.parse(String(event['createdAt'])) / 1000));
      const parts = partsOf(withHeader(delivery, 'webhook-timestamp', first));
      return signed(delivery, key, parts);
    }, isRetry),
  }),
  defect({
    id: 'signature-wrong-on-redeliveries',
    breaks: SIGNED,
    does: 'The signature of a redelivery does not match.',
    sender: onDelivery(withWrongSignature, isRedelivered),
  }),
  defect({
    id: 'signature-wrong-on-test-events',
    breaks: SIGNED,
    does: 'The signature of a test event does not match.',
    sender: onDelivery(withWrongSignature, isTest),
  }),
  defect({
    id: 'signature-wrong-on-changes',
    breaks: SIGNED,
    does: 'The signature of a status change does not match.',
    sender: onDelivery(withWrongSignature, isChanged),
  }),
  defect({
    id: 'signature-wrong-with-output',
    breaks: SIGNED,
    does: 'The signature of an event with an output does not match.',
    sender: onDelivery(withWrongSignature, ({ run }) => 'output' in run),
  }),
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
  { id, timestamp, body } = partsOf(delivery),
): Outgoing {
  return signedText(delivery, key, `${id}.${timestamp}.${body}`);
}

function signedText(delivery: Outgoing, key: Uint8Array, text: string): Outgoing {
  const value = `v1,${createHmac('sha256', key).update(text).digest('hex')}`;
  return replaceHeader(delivery, 'webhook-signature', value);
}

/** The valid digest in another form. */
function writtenAs(write: (hex: string) => string): Open {
  return onDelivery((delivery) => {
    const value = headerValue(delivery.headers, 'webhook-signature') ?? '';
    return replaceHeader(delivery, 'webhook-signature', write(value.replace('v1,', '')));
  });
}

/** A signature over another message. */
function over(write: (parts: Parts) => string): Open {
  return onDelivery((delivery, { key }) => signedText(delivery, key, write(partsOf(delivery))));
}

/** The signature has the documented form. */
function withWrongSignature(delivery: Outgoing, { key }: Seen): Outgoing {
  return signedText(delivery, key, 'another message');
}
