import { optionsObject } from '../argument-checks.ts';
import { mustBe } from '../verify/errors.ts';
import type { SecretEncoding } from '../verify/secrets.ts';
import { explainSigned } from './explain-signed.ts';
import type { FailedDelivery, SignedWith } from './explain-signed.ts';
import type { Mistake } from './mistake.ts';
import type { SenderForm } from './sender-form.ts';
import { GITHUB } from './senders/github.ts';
import { platformForm } from './senders/platform.ts';
import { STANDARD_WEBHOOKS } from './senders/standard-webhooks.ts';
import { STRIPE } from './senders/stripe.ts';

/** A sender whose mistakes are known. */
export type KnownSender = 'platform' | 'stripe' | 'github' | 'standard-webhooks';

export interface ExplainOptions extends SignedWith {
  /** Whose delivery it is. Default: `platform`. */
  readonly sender?: KnownSender;
  /** How the verifier of the platform makes its keys. Default: `utf8`. */
  readonly secretEncoding?: SecretEncoding;
}

const FORMS: Readonly<Record<KnownSender, (options: ExplainOptions) => SenderForm>> = {
  platform: ({ secretEncoding }) => platformForm(secretEncoding),
  stripe: () => STRIPE,
  github: () => GITHUB,
  'standard-webhooks': () => STANDARD_WEBHOOKS,
};

/**
 * Returns which of the known mistakes made a delivery fail. Tries the form of the headers, then
 * each known key, signed message and body, alone and a key with a body, then the time and the
 * event. Use it in tests and in development; never send its result to the sender.
 *
 * Pure: reads no clock but `now`, writes nothing. The result contains no secret, no digest and no
 * part of the body.
 *
 * @returns The first mistake that fits; `valid` when the delivery is accepted, `unknown` when
 *   nothing fits.
 * @throws {TypeError} When `rawBody` is not bytes, or `sender` is not known.
 * @example
 * ```ts
 * import { explainDelivery, formatExplanation } from '@hookproof/receiver/explain';
 *
 * export function explain(rawBody: Uint8Array, headers: Headers, secrets: string): void {
 *   console.log(formatExplanation(explainDelivery({ rawBody, headers }, { secrets })));
 * }
 * ```
 */
export function explainDelivery(delivery: FailedDelivery, options: ExplainOptions): Mistake {
  optionsObject(delivery, ['headers', 'rawBody'], 'delivery');
  optionsObject(options, ['secrets']);
  const { sender = 'platform' } = options;
  if (!Object.hasOwn(FORMS, sender)) {
    throw new TypeError(mustBe('sender', Object.keys(FORMS).join(', '), sender));
  }
  return explainSigned(FORMS[sender](options), delivery, options);
}
