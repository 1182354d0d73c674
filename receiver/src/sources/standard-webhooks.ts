import { knownOptions } from '../argument-checks.ts';
import { HEADER_FORMS } from '../verify/header-forms.ts';
import { readSecrets } from '../verify/secrets.ts';
import type { Secrets } from '../verify/secrets.ts';
import type { StandardSchema } from '../worker/standard-schema.ts';
import { explained } from './explained.ts';
import { judge, malformed } from './judge.ts';
import { describeBody, isRecord, textOrNull } from './payload.ts';
import { sourceOptions } from './source-options.ts';
import type { Source, SourceOptions } from './source.ts';
import { signingKey } from '../verify/signing-key.ts';
import { readTolerance } from '../verify/verifier-options.ts';

export interface StandardWebhooksOptions<Output = unknown> extends SourceOptions {
  /** The endpoint secret: `whsec_` and base64. Up to 8 during a rotation. */
  readonly secrets: Secrets;
  /** Maximum difference between the signed time and now, in seconds, inclusive. Default: 300. */
  readonly toleranceSeconds?: number;
  /** What belongs together, from the parsed body. Default: `null`, each event stands alone. */
  readonly key?: (payload: unknown) => string | null;
  /**
   * Checks `data` and types it: a schema of Zod, Valibot, ArkType or another library. Default:
   * none.
   */
  readonly schema?: StandardSchema<unknown, Output>;
}

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
/** 32 bytes in base64 have one spelling. */
const SIGNATURES = /^v\d+[a-z]*,\S+(?: v\d+[a-z]*,\S+)*$/;
const DIGEST = /^[\d+/A-Za-z]{42}[048AEIMQUYcgkosw]=$/;

/**
 * The source of a sender that signs as https://www.standardwebhooks.com says: base64 keys and
 * digests, and several signatures in one header. The id and the time are signed with the body. The
 * handlers are named by `type` of the body, and get its `data`; a body without both is passed on
 * whole, with the type `event`.
 *
 * @throws {TypeError} When an option is invalid or unknown; the message names the option.
 * @example
 * ```ts
 * import { standardWebhooks } from '@hookproof/receiver/standard-webhooks';
 *
 * export const crm = standardWebhooks({ secrets: process.env['CRM_SECRET'] ?? '' });
 * ```
 */
export function standardWebhooks<Output = unknown>(
  options: StandardWebhooksOptions<Output>,
): Source<Readonly<Record<string, Output>>> {
  knownOptions(options, [
    'secrets',
    'toleranceSeconds',
    'key',
    'schema',
    'order',
    'bodyLimitBytes',
  ]);
  const keys = readSecrets(options.secrets, 'base64', 'standardWebhooks()');
  const toleranceSeconds = readTolerance(options.toleranceSeconds);
  const { secrets, key, schema } = options;
  return {
    sender: 'Standard Webhooks',
    headers: HEADERS,
    // 410 disables the endpoint.
    retries: (status) => status !== 410 && (status < 200 || status > 299),
    ...sourceOptions(options),
    ...(schema !== undefined && { schema }),
    verify(headers, rawBody, now) {
      const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = headers;
      const { 'webhook-signature': signature = '' } = headers;
      if (!HEADER_FORMS.id[0].test(id)) throw malformed('id', 'webhook-id', HEADER_FORMS.id[1]);
      if (!HEADER_FORMS.timestamp[0].test(timestamp)) {
        throw malformed('timestamp', 'webhook-timestamp', HEADER_FORMS.timestamp[1]);
      }
      const digests = digestsIn(signature);
      const secretIndex = signingKey(keys, [`${id}.${timestamp}.`, rawBody], digests);
      const signed = judge(keys.length, secretIndex, Number(timestamp), toleranceSeconds, now);
      const described = describeBody(rawBody, id, (payload) => ({
        id,
        type: hasData(payload) ? payload.type : 'event',
        key: key?.(payload) ?? null,
        createdAt: textOrNull(payload['timestamp']),
      }));
      return { ...described, ...signed };
    },
    async explain(delivery, now) {
      const { STANDARD_WEBHOOKS } = await import('../explain/senders/standard-webhooks.ts');
      return explained(STANDARD_WEBHOOKS, delivery, { secrets, toleranceSeconds, now: () => now });
    },
    data: (payload) => (hasData(payload) ? payload.data : payload),
  };
}

function hasData(value: unknown): value is { readonly type: string; readonly data: unknown } {
  return isRecord(value) && textOrNull(value['type']) !== null && 'data' in value;
}

/** Signatures of other versions are left out, as the specification says. */
function digestsIn(signature: string): readonly Uint8Array[] {
  const parts = SIGNATURES.test(signature) ? signature.split(' ') : [];
  const texts = parts.filter((part) => part.startsWith('v1,')).map((part) => part.slice(3));
  if (texts.length > 0 && texts.every((text) => DIGEST.test(text))) {
    return texts.map((text) => Buffer.from(text, 'base64'));
  }
  throw malformed('signature', 'webhook-signature', '"v1," and 32 bytes in base64, between spaces');
}
