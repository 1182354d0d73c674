import { SECRET_PREFIX } from '@hookproof/spec';
import type { AttemptDetail, WebhookEndpoint } from '@hookproof/spec/control';

import { UsageError } from '../../command-line/errors.ts';
import { bodyPart, withoutQuery } from '../../running/attempt-line.ts';
import { deliveryOf } from '../../running/delivery.ts';
import { runningControl } from '../../running/running-control.ts';
import { explainReceived } from './explained.ts';
import type { Explained } from './explained.ts';
import { frameworkFixes } from './framework-fixes.ts';

/**
 * Explains the last attempt of a delivery of the running server. With the secret of the app, it also says
 * whether the app could accept what was sent.
 *
 * @param id - the ID of a delivery, or `last`
 * @throws {UsageError} if no server is running, or it has no attempt of this delivery
 */
export async function explainServerDelivery(
  id: string,
  secrets: readonly string[],
): Promise<Explained> {
  const detail = await lastAttempt(id);
  const [own] = secrets;
  const { endpoint, sent, explanation } = detail;
  // The server knows its own fault; its bytes alone would tell of an unknown mistake.
  const isFault = explanation?.cause === 'delivery_fault';
  if (own === undefined || sent === null || isFault) return byServer(detail, own !== undefined);
  const others =
    endpoint === undefined
      ? {}
      : { [`the endpoint ${withoutQuery(endpoint.url)}`]: endpoint.secret };
  const body =
    sent.body === undefined ? Buffer.from(sent.bodyBase64 ?? '', 'base64') : Buffer.from(sent.body);
  const headers = sent.headers.map(([name = '', value = '']) => [name, value] as const);
  const receivedAt = Date.parse(detail.attempt.startedAt);
  const explained = explainReceived({ headers, body, receivedAt }, { own, others });
  if (explained.cause === 'other_secret' && endpoint !== undefined) {
    const both = `The app has ${masked(own)}, the endpoint ${masked(endpoint.secret)}.`;
    return { ...explained, evidence: [...explained.evidence, both] };
  }
  if (explained.cause !== 'valid' || explanation === null) return explained;
  const fits = 'The secret that you gave accepts the sent bytes.';
  const found = byServer(detail, true);
  return { ...found, evidence: [fits, ...found.evidence], frameworks: bodyFixes(found) };
}

interface Found extends AttemptDetail {
  readonly endpoint: WebhookEndpoint | undefined;
  /** Whether no further attempt is made. */
  readonly isEnded: boolean;
}

/** Of a shorter secret, no character is shown. */
const MIN_MASKED_CHARACTERS = 16;

async function lastAttempt(id: string): Promise<Found> {
  const server = await runningControl('Start one with hookproof serve.');
  const delivery = await deliveryOf(id, server);
  const { attempts, endpointId, status } = delivery;
  const number = attempts.at(-1)?.number;
  if (number === undefined) {
    throw new UsageError(`Delivery ${delivery.id} has no attempt yet. Wait for the first.`);
  }
  const { control } = server;
  const path = `/deliveries/${encodeURIComponent(delivery.id)}/attempts/${number}`;
  const detail = await control<AttemptDetail>('GET', path);
  const { data } = await control<{ data: WebhookEndpoint[] }>('GET', '/webhook-endpoints');
  const endpoint = data.find((one) => one.id === endpointId);
  return { ...detail, endpoint, isEnded: status === 'ended' };
}

function byServer({ explanation, attempt, isEnded }: Found, isSecretGiven: boolean): Explained {
  if (explanation === null) {
    const evidence = ['The request was correct, and the app accepted it.'];
    return { valid: true, cause: 'valid', evidence, fix: 'Nothing to fix.', frameworks: [] };
  }
  const { cause, fix } = explanation;
  const [excerpt] = bodyPart(attempt.responseBody);
  const quoted = excerpt === undefined ? [] : [`Body of the response: ${excerpt}`];
  const hint =
    isSecretGiven || cause !== 'app_verification'
      ? ''
      : ' Add --secret with the secret of the app to compare it.';
  const again = ' Send it again: hookproof redeliver ended.';
  const found = {
    valid: false,
    cause,
    evidence: [...explanation.evidence, ...quoted],
    fix: `${fix}${hint}${isEnded ? again : ''}`,
    frameworks: [],
  };
  // The receiver names a parsed body otherwise, so no parser is to blame.
  const isSecret = attempt.responseBody?.includes('"signature_mismatch"') === true;
  return isSecret ? found : { ...found, frameworks: bodyFixes(found) };
}

/** A correct request that the app refuses is changed in the app, or verified with another secret. */
function bodyFixes({ cause }: Explained): string[] {
  return cause === 'app_verification' ? frameworkFixes('body_changed') : [];
}

/** Returns enough of a secret to compare it with another. */
function masked(secret: string): string {
  const end = secret.length < MIN_MASKED_CHARACTERS ? '' : secret.slice(-4);
  return `${secret.slice(0, SECRET_PREFIX.length)}…${end} (${secret.length} characters)`;
}
