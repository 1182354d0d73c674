import { createHash } from 'node:crypto';

import { WebhookVerificationError } from '../verify/errors.ts';
import { parseJson } from '../verify/raw-body.ts';
import type { VerifiedEvent } from './source.ts';

/** What of an event its body says. */
export type Described = Pick<VerifiedEvent, 'id' | 'type' | 'key' | 'createdAt'>;

/**
 * Reads an authentic body. One that is no event is kept under the id that is known, or under its
 * digest: a retry would send the same bytes.
 *
 * @param id the id that a header says; `null` when only the body has one
 */
export function describeBody(
  rawBody: Uint8Array,
  id: string | null,
  describe: (payload: Readonly<Record<string, unknown>>) => Described | string,
): Described & Pick<VerifiedEvent, 'error'> {
  const invalid = (error: string): Described & Pick<VerifiedEvent, 'error'> => {
    const known = id ?? `sha256:${createHash('sha256').update(rawBody).digest('hex')}`;
    return { id: known, type: 'invalid', key: null, createdAt: null, error };
  };
  try {
    const payload = parseJson(rawBody);
    if (!isRecord(payload))
      return invalid('event_invalid: Body must be an object, got another value.');
    const described = describe(payload);
    if (typeof described === 'string') return invalid(`event_invalid: ${described}`);
    return { ...described, error: null };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return invalid(`${error.code}: ${error.message}`);
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a member of an object; `undefined` when there is none. */
export function member(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

/** Returns a value that is a text with content; `null` for any other. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
