import type { Outgoing } from '@hookproof/conformance/hooks';

import { defect } from '../kit/defect.ts';
import type { Defect } from '../kit/defect.ts';
import { withHeader } from '../kit/message.ts';
import { editDelivery, isAgent, isCreated, isRetry, isTest, onDelivery } from '../kit/sender.ts';

const ID = 'webhook-header.id.equals-body';
const STABLE = 'webhook-header.id.stable';
const TIMESTAMP = 'webhook-header.timestamp.seconds';
const SIGNATURE = 'webhook-header.signature.format';
const TYPE = 'webhook-header.content-type';
const AGENT = 'webhook-header.user-agent';
const CUSTOM = 'webhook-header.custom';
const POST = 'webhook-header.post';

/** Headers that are missing, renamed or of another value. */
export const headerDefects: readonly Defect[] = [
  defect({
    id: 'header-webhook-id-missing',
    breaks: ID,
    does: 'Sends no webhook-id.',
    sender: onDelivery(without('webhook-id')),
  }),
  defect({
    id: 'header-webhook-timestamp-missing',
    breaks: TIMESTAMP,
    does: 'Sends no webhook-timestamp.',
    sender: onDelivery(without('webhook-timestamp')),
  }),
  defect({
    id: 'header-webhook-signature-missing',
    breaks: SIGNATURE,
    does: 'Sends no webhook-signature.',
    sender: onDelivery(without('webhook-signature')),
  }),
  defect({
    id: 'header-content-type-missing',
    breaks: TYPE,
    does: 'Sends no content-type.',
    sender: onDelivery(without('content-type')),
  }),
  defect({
    id: 'content-type-text-plain',
    breaks: TYPE,
    does: 'Declares the body as text/plain.',
    sender: onDelivery((delivery) => withHeader(delivery, 'content-type', 'text/plain')),
  }),
  defect({
    id: 'header-user-agent-missing',
    breaks: AGENT,
    does: 'Sends no user-agent.',
    sender: onDelivery(without('user-agent')),
  }),
  defect({
    id: 'header-custom-cut',
    breaks: CUSTOM,
    does: 'Cuts the values of custom headers after 64 characters.',
    sender: onDelivery((delivery) => ({
      ...delivery,
      headers: delivery.headers.map(([name, value]) =>
        name.toLowerCase().startsWith('x-hookproof-')
          ? ([name, value.slice(0, 64)] as const)
          : ([name, value] as const),
      ),
    })),
  }),
  defect({
    id: 'method-put-on-retries',
    breaks: POST,
    does: 'Sends retries as PUT.',
    sender: onDelivery((delivery) => ({ ...delivery, method: 'PUT' }), isRetry),
  }),
  defect({
    id: 'webhook-id-new-on-retries',
    breaks: STABLE,
    does: 'A retry has another webhook-id.',
    sender: editDelivery(
      (delivery, { event }) => withHeader(delivery, 'webhook-id', `${String(event['id'])}9`),
      isRetry,
    ),
  }),
  defect({
    id: 'custom-header-second-missing',
    breaks: CUSTOM,
    does: 'Sends only the first custom header.',
    sender: onDelivery(without('x-hookproof-second')),
  }),
  defect({
    id: 'custom-header-cut',
    breaks: CUSTOM,
    does: 'Sends the value of a custom header up to its first blank.',
    sender: onDelivery((delivery) => withHeader(delivery, 'x-hookproof-suite', 'a')),
  }),
  defect({
    id: 'custom-headers-only-with-creations',
    breaks: CUSTOM,
    does: 'Sends custom headers with run.created only.',
    sender: onDelivery(without('x-hookproof-second'), (seen) => !isCreated(seen)),
  }),
  defect({
    id: 'custom-headers-lost-on-agents',
    breaks: CUSTOM,
    does: 'Sends no custom headers for agent runs.',
    sender: onDelivery(without('x-hookproof-suite'), isAgent),
  }),
  defect({
    id: 'custom-headers-lost-on-test-events',
    breaks: CUSTOM,
    does: 'Sends no custom headers with test events.',
    sender: onDelivery(without('x-hookproof-suite'), isTest),
  }),
];

function without(name: string): (delivery: Outgoing) => Outgoing {
  return (delivery) => withHeader(delivery, name, null);
}
