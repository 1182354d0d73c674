import { headerValue, keyBytes } from '@hookproof/conformance/hooks';
import type { Outgoing } from '@hookproof/conformance/hooks';
import { variant } from '@hookproof/conformance/proof/kit/defect';
import type { Variant } from '@hookproof/conformance/proof/kit/defect';
import { replaceHeader, sign, withHeader } from '@hookproof/conformance/proof/kit/message';
import { editDelivery, onDelivery } from '@hookproof/conformance/proof/kit/sender';
import type { Seen } from '@hookproof/conformance/proof/kit/sender';

/** The forms of a signature that the contract leaves open, and a clock that differs a little from that of the records. */
export const signingVariants: readonly Variant[] = [
  variant({
    id: 'digest-in-capitals',
    takes: 'signature.digest.case',
    does: 'Writes the digest in upper case.',
    sender: onDelivery((delivery) => {
      const value = headerValue(delivery.headers, 'webhook-signature') ?? '';
      const digest = value.replace('v1,', '').toUpperCase();
      return replaceHeader(delivery, 'webhook-signature', `v1,${digest}`);
    }),
  }),
  ...(['utf8', 'base64', 'hex'] as const).map((encoding) =>
    variant({
      id: `key-after-prefix-${encoding}`,
      takes: 'signature.secret.key-bytes',
      does: `The key is the part of the secret after whsec_, read as ${encoding}.`,
      sender: onDelivery((delivery, seen) =>
        sign(delivery, Buffer.from(secretOf(delivery, seen).replace('whsec_', ''), encoding)),
      ),
    }),
  ),
  variant({
    id: 'key-whole-secret',
    takes: 'signature.secret.key-bytes',
    does: 'The key is the whole secret.',
    sender: onDelivery((delivery, seen) =>
      sign(delivery, keyBytes(secretOf(delivery, seen), 'utf8')),
    ),
  }),
  ...[-2, -1, 1, 2].map((seconds) =>
    variant({
      id: `timestamp-${seconds < 0 ? 'early' : 'late'}-by-${Math.abs(seconds)}-s`,
      takes: 'webhook-header.timestamp.signing-time',
      does: `Signs with a clock that differs by ${seconds} s from the one that records attempts.`,
      sender: editDelivery((delivery) => {
        const timestamp = Number(headerValue(delivery.headers, 'webhook-timestamp'));
        return withHeader(delivery, 'webhook-timestamp', String(timestamp + seconds));
      }),
    }),
  ),
];

function secretOf({ url }: Outgoing, { knowledge }: Seen): string {
  return knowledge.secretOf(url) ?? '';
}
