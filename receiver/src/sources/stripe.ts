import { knownOptions } from '../argument-checks.ts';
import { HEADER_FORMS } from '../verify/header-forms.ts';
import { readSecrets } from '../verify/secrets.ts';
import type { Secrets } from '../verify/secrets.ts';
import { signingKey } from '../verify/signing-key.ts';
import { readTolerance } from '../verify/verifier-options.ts';
import { explained } from './explained.ts';
import { judge, malformed } from './judge.ts';
import { describeBody, member, textOrNull } from './payload.ts';
import { sourceOptions } from './source-options.ts';
import type { Source, SourceOptions } from './source.ts';

export interface StripeOptions extends SourceOptions {
  /** The signing secret of the endpoint with its prefix `whsec_`. Up to 8 during a rotation. */
  readonly secrets: Secrets;
  /** Maximum difference between the signed time and now, in seconds, inclusive. Default: 300. */
  readonly toleranceSeconds?: number;
  /**
   * What belongs together, from the parsed event. Default: `data.object.id`, or that of the related
   * object.
   */
  readonly key?: (event: unknown) => string | null;
}

/** An event of Stripe, as far as its types need it. */
interface AnyStripeEvent {
  /** The type of the event. */
  readonly type: string;
}

/** The `data` of each type in a union of events. */
type DataByType<Event extends AnyStripeEvent> = {
  readonly [Type in Event['type']]: Extract<Event, { readonly type: Type }> extends {
    readonly data: infer Data;
  }
    ? Data
    : unknown;
};

const SIGNATURE = /^[\da-z]+=[^\s,=]*(?:,[\da-z]+=[^\s,=]*)*$/;
const DIGEST = /^[\da-f]{64}$/;

/**
 * The source of Stripe. The time and the body are signed, and with it the id and the type, which
 * are in the body. Handlers are named by the type of the event and get its `data`: `{ object,
 * previous_attributes }`. With `stripe<Stripe.Event>` of the package `stripe` they are typed.
 *
 * @throws {TypeError} When an option is invalid or unknown; the message names the option.
 * @example
 * ```ts
 * import { stripe } from '@hookproof/receiver/stripe';
 *
 * export const payments = stripe({ secrets: process.env['STRIPE_SECRET'] ?? '' });
 * ```
 */
export function stripe<
  Event extends AnyStripeEvent = {
    readonly type: string;
    readonly data: { readonly object: unknown };
  },
>(options: StripeOptions): Source<DataByType<Event>> {
  knownOptions(options, ['secrets', 'toleranceSeconds', 'key', 'order', 'bodyLimitBytes']);
  const keys = readSecrets(options.secrets, 'utf8', 'stripe()');
  const toleranceSeconds = readTolerance(options.toleranceSeconds);
  const { secrets, key = objectIn } = options;
  return {
    sender: 'Stripe',
    headers: ['stripe-signature'],
    retries: (status) => status < 200 || status > 299,
    ...sourceOptions(options),
    verify({ 'stripe-signature': signature = '' }, rawBody, now) {
      const { timestamp, digests } = partsOf(signature);
      const secretIndex = signingKey(keys, [`${timestamp}.`, rawBody], digests);
      const signed = judge(keys.length, secretIndex, Number(timestamp), toleranceSeconds, now);
      const described = describeBody(rawBody, null, (event) => {
        const [id, type] = [textOrNull(event['id']), textOrNull(event['type'])];
        if (id === null || type === null) return 'id and type must be strings, got others.';
        return { id, type, key: key(event), createdAt: timeOf(event['created']) };
      });
      return { ...described, ...signed };
    },
    async explain(delivery, now) {
      const { STRIPE } = await import('../explain/senders/stripe.ts');
      return explained(STRIPE, delivery, { secrets, toleranceSeconds, now: () => now });
    },
    data: (event) => member(event, 'data'),
  };
}

/** The object that an event is about: `balance.available` and a few more have none. */
function objectIn(event: unknown): string | null {
  return (
    textOrNull(member(member(member(event, 'data'), 'object'), 'id')) ??
    textOrNull(member(member(event, 'related_object'), 'id'))
  );
}

function timeOf(created: unknown): string | null {
  if (typeof created !== 'number') return textOrNull(created);
  const time = new Date(created * 1000);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** Reads `t=…,v1=…,v1=…`; signatures of other schemes are left out. */
function partsOf(signature: string): {
  readonly timestamp: string;
  readonly digests: readonly Uint8Array[];
} {
  const parts = SIGNATURE.test(signature) ? signature.split(',') : [];
  const valuesOf = (name: string): readonly string[] =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [timestamp = '', ...others] = valuesOf('t');
  const texts = valuesOf('v1');
  if (others.length > 0 || !HEADER_FORMS.timestamp[0].test(timestamp)) {
    throw malformed('timestamp', 'stripe-signature', `one t= with ${HEADER_FORMS.timestamp[1]}`);
  }
  if (texts.length > 0 && texts.every((text) => DIGEST.test(text))) {
    return { timestamp, digests: texts.map((text) => Buffer.from(text, 'hex')) };
  }
  throw malformed('signature', 'stripe-signature', 't=…,v1=… with 64 lower-case hex digits');
}
