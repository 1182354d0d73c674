import { headerFinder } from '../verify/find-headers.ts';
import type { HeaderSource } from '../verify/find-headers.ts';
import type { HeaderPart } from '../verify/header-forms.ts';
import { countMistake } from './found-headers.ts';
import { knownMessages } from './known-messages.ts';
import type { Mistake } from './mistake.ts';
import type { SignedHeaders } from './sender-form.ts';

const find = headerFinder('webhook-id', 'webhook-timestamp', 'webhook-signature');

/**
 * Reads the headers that the platform and the senders of Standard Webhooks sign with.
 *
 * @param formMistake - returns what is wrong with headers that came once each
 */
export function readWebhookHeaders(
  source: HeaderSource,
  formMistake: (headers: Readonly<Record<HeaderPart, string>>) => Mistake | undefined,
  digestsIn: (signature: string) => SignedHeaders['digests'],
): SignedHeaders | Mistake {
  const found = find(source);
  const {
    'webhook-id': [id = ''],
    'webhook-timestamp': [time = ''],
    'webhook-signature': [signature = ''],
  } = found;
  const wrong = countMistake(found, source) ?? formMistake({ id, timestamp: time, signature });
  if (wrong !== undefined) return wrong;
  const timestamp = Number(time);
  return {
    id,
    timestamp,
    digests: digestsIn(signature),
    messageOf: (body) => Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]),
    mistakenMessages: (body) => knownMessages(id, timestamp, body),
  };
}
