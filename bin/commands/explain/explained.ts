import { explainDelivery } from '@hookproof/receiver/explain';
import type { ExplanationCause, KnownSender } from '@hookproof/receiver/explain';
import { REFUSAL_FIX } from '@hookproof/spec/control';

import { headerValue } from '../../saved/delivery-folder.ts';
import type { ReceivedDelivery, SavedDelivery } from '../../saved/delivery-folder.ts';
import { frameworkFixes } from './framework-fixes.ts';

/** The result of `hookproof explain`, as `--json` prints it. It contains no secret and no part of a body. */
export interface Explained {
  readonly valid: boolean;
  readonly cause: string;
  /** What shows the cause, two facts. */
  readonly evidence: readonly string[];
  readonly fix: string;
  /** Lines of code by framework, for a changed body. */
  readonly frameworks: readonly string[];
}

/** Secrets to try: the first is the app's, the others are known under a name. */
interface TriedSecrets {
  readonly own: string;
  readonly others: Readonly<Record<string, string>>;
}

/** What each cause is called in the first line. */
const TITLES: readonly (readonly [prefix: string, title: string])[] = [
  ['other_secret', 'The delivery is signed with another secret.'],
  ['key_', 'The key is made from the secret in another way.'],
  ['secret_without', 'The secret is incomplete.'],
  ['secret_with_', 'The secret has something around it.'],
  ['secret_of_', 'The secret is not one that signs webhooks.'],
  ['message_', 'Another message is signed.'],
  ['body_form', 'The body was sent as a form.'],
  ['body_', 'The body changed after it was signed.'],
  ['header', 'The signature headers are incomplete, repeated or exchanged.'],
  ['id_', 'A signature header is malformed.'],
  ['timestamp_', 'A signature header is malformed.'],
  ['signature_', 'A signature header is malformed.'],
  ['clock_', 'The time of the delivery is outside the tolerance.'],
  ['event_', 'The signature is valid, but the body is no event.'],
  ['valid', 'The signature and the time are valid.'],
  ['app_verification', 'The request was correct, and the app refused it.'],
  ['delivery_fault', 'A delivery fault changed or prevented the request.'],
  ['changed_request_accepted', 'The app accepted a request that it has to refuse.'],
  ['wrong_signature', 'The server sent a wrong signature.'],
  ['redirect', 'The app redirected the request.'],
  ['app_refused', 'The app refused a correct request.'],
  ['app_failed', 'The app failed.'],
  ['unreachable', 'The app could not be reached.'],
  ['no_response', 'The app did not respond.'],
  ['target_refused', 'The server refuses the URL.'],
];

const FIXES: Readonly<Record<string, string>> = {
  valid: 'Nothing to fix: an app with this secret has to accept it.',
  event_invalid:
    'Respond 2xx, because a retry sends the same bytes, and report them to the sender.',
};

/** Returns the line that says what a cause is. */
export function titleOf(cause: string): string {
  const found = TITLES.find(([prefix]) => cause.startsWith(prefix));
  return found?.[1] ?? 'No known mistake explains the signature.';
}

/** Explains a delivery with the secret of the app, at the time at which it arrived. */
export function explainReceived(
  { headers, body, receivedAt }: ReceivedDelivery,
  { own, others }: TriedSecrets,
  sender: KnownSender = senderOf(headers),
): Explained {
  const { cause, evidence, fix } = explainDelivery(
    { headers: { rawHeaders: headers.flat() }, rawBody: body },
    { sender, secrets: own, otherSecrets: others, now: () => receivedAt },
  );
  return {
    valid: cause === 'valid',
    cause,
    evidence: [evidence.replaceAll('secrets[0]', 'the secret'), whatArrived(cause, headers, body)],
    fix: FIXES[cause] ?? fix,
    frameworks: frameworkFixes(cause),
  };
}

/** As {@link explainReceived}. If a valid delivery got 401 or 403, the app that refused it is at fault. */
export function explainSaved(
  delivery: SavedDelivery,
  secrets: TriedSecrets,
  sender?: KnownSender,
): Explained {
  const explained = explainReceived(delivery, secrets, sender);
  const { status } = delivery;
  if (!explained.valid || (status !== 401 && status !== 403)) return explained;
  return {
    ...explained,
    valid: false,
    cause: 'app_verification',
    evidence: ['The signature and the time are valid.', `The app responded ${status}.`],
    fix: REFUSAL_FIX,
    frameworks: frameworkFixes('body_changed'),
  };
}

/** The sender that the headers name. Those of Standard Webhooks are also those of the platform. */
function senderOf(headers: ReceivedDelivery['headers']): KnownSender {
  if (headerValue(headers, 'webhook-signature') !== undefined) return 'platform';
  if (headerValue(headers, 'stripe-signature') !== undefined) return 'stripe';
  return headerValue(headers, 'x-github-event') === undefined ? 'platform' : 'github';
}

function whatArrived(
  cause: ExplanationCause,
  headers: ReceivedDelivery['headers'],
  body: Buffer,
): string {
  const type = printable(headerValue(headers, 'content-type') ?? 'no content type');
  const [, ofStripe = ''] =
    /(?:^|,)t=(\d+)/.exec(headerValue(headers, 'stripe-signature') ?? '') ?? [];
  const timestamp = headerValue(headers, 'webhook-timestamp') ?? ofStripe;
  const isTime = /^\d{1,11}$/.test(timestamp);
  const signedAt = isTime ? new Date(Number(timestamp) * 1000).toISOString() : 'an unknown time';
  const bytes = `${body.length} bytes (${type})`;
  if (cause.startsWith('header_')) return `The request has ${headers.length} headers and ${bytes}.`;
  return timestamp === ''
    ? `The delivery has ${bytes}; its sender signs no time.`
    : `The delivery has ${bytes}, and was signed for ${signedAt}.`;
}

/** A header can contain what changes the terminal. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 80);
}
