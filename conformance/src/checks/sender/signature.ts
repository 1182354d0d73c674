import type { Check } from '../../check-kit/check.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { matchingKey } from '../../signing/signer.ts';
import { deliveryCheck, sceneCheck } from './sender-check.ts';
import type { Scene } from './scenes/scene.ts';

/** The signature of every delivery. */
export const senderSignatureChecks: readonly Check[] = [
  deliveryCheck({
    name: 'header.signature-format',
    requirements: ['webhook-header.signature.format'],
    title: 'webhook-signature is v1, followed by 64 hex digits',
    judge(delivery, _scene, expect) {
      const value = delivery.header('webhook-signature') ?? '';
      expect(delivery, /^v1,[0-9a-fA-F]{64}$/.test(value), 'v1, and 64 hex digits', value);
    },
  }),
  sceneCheck({
    name: 'signature.one-key',
    requirements: ['signature.message.signed'],
    title: 'every delivery of an endpoint is signed with the same bytes of its secret',
    judge(scene, expect) {
      let first: Buffer | undefined;
      for (const delivery of scene.deliveries) {
        const key = keyOf(delivery, scene);
        first ??= key;
        const isSame = key === undefined || first === undefined || key.equals(first);
        const actual = 'a signature with other bytes of the secret';
        expect(delivery, isSame, 'a signature with the key of the first delivery', actual);
      }
    },
  }),
  deliveryCheck({
    name: 'signature.over-raw-bytes',
    requirements: [
      'signature.message.signed',
      'webhook-event.emitted-for-run-lifecycle',
      'signature.authenticates-delivery',
    ],
    title: 'the signature matches id, timestamp and the raw bytes of the body',
    judge(delivery, scene, expect) {
      const value = delivery.header('webhook-signature') ?? '';
      const expected = 'a signature of these bytes with the endpoint secret';
      expect(delivery, isSigned(delivery, scene), expected, value);
    },
  }),
];

/** Whether the signature matches this attempt: its id, its timestamp and its bytes. */
export function isSigned(delivery: ReceivedDelivery, scene: Scene): boolean {
  return keyOf(delivery, scene) !== undefined;
}

/** The bytes of the secret that signed a delivery; undefined when none did. */
function keyOf(delivery: ReceivedDelivery, { endpoint }: Scene): Buffer | undefined {
  return matchingKey(endpoint.secret, delivery.header('webhook-signature') ?? '', {
    id: delivery.header('webhook-id') ?? '',
    timestamp: delivery.header('webhook-timestamp') ?? '',
    body: delivery.body,
  });
}
