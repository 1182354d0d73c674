import type { SignatureVector } from '@hookproof/spec/vectors';

import { isRecord, parseJson } from '../../http/message.ts';

const TRIGGERS = new Set(['api', 'manual', 'email', 'cron']);
const EVENT_MEMBERS = new Set(['id', 'type', 'apiVersion', 'createdAt', 'test', 'data']);
const SPELLINGS = new Set([
  'timestamp-leading-plus',
  'timestamp-leading-zero',
  'timestamp-many-leading-zeros',
]);

/** Whether the contract leaves it to a receiver what it does with the delivery. */
export function isFree(vector: SignatureVector): boolean {
  const { id, result, basis, code } = vector;
  // signature.id.form and signature.timestamp.spelling; an empty id is no id.
  if (basis !== 'contract' && (code === 'id_malformed' || result === 'valid')) return true;
  if (SPELLINGS.has(id)) return true;
  return result === 'valid' && (isLarge(vector) || isUnusual(vector));
}

/** receiver.other-requests: each receiver has a maximum size of its own. */
function isLarge({ bodyTrailingSpaces = 0 }: SignatureVector): boolean {
  return bodyTrailingSpaces > 0;
}

/** An event with members or values that the tables of the contract do not name. */
function isUnusual({ bodyBase64 }: SignatureVector): boolean {
  const event = parseJson(Buffer.from(bodyBase64, 'base64').toString('utf8'));
  if (!isRecord(event) || !isRecord(event['data'])) return true;
  const run = event['data']['run'];
  const trigger = isRecord(run) ? run['triggerType'] : undefined;
  const isKnown = typeof trigger === 'string' && TRIGGERS.has(trigger);
  return !isKnown || Object.keys(event).some((name) => !EVENT_MEMBERS.has(name));
}
