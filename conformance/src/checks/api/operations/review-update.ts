import { isDeepStrictEqual } from 'node:util';

import type { CheckContext } from '../../../check-kit/check.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import { show, violation } from '../../../check-kit/expect.ts';
import { isRecord } from '../../../http/message.ts';
import { everyField, UPDATABLE } from './review-fields.ts';
import type { Entry } from './review-fields.ts';
import { patchReview, readReview } from './reviews.ts';

/** Updates a review request with every field, because the contract does not state which ones are required. */
export function updateReview(
  sandbox: CheckContext,
  entry: Entry,
  change: Entry = {},
): Promise<ApiResponse> {
  return patchReview(sandbox, entry, { ...everyField(sandbox, entry), ...change });
}

/**
 * Throws a violation unless the inbox shows the same updatable members as before. It shows the update that may have set
 * a member, by its name.
 */
export async function expectUnchanged(
  sandbox: CheckContext,
  before: Entry,
  updateOf: (name: string) => ApiResponse,
): Promise<void> {
  const { entry } = await readReview(sandbox, String(before['id']));
  for (const name of UPDATABLE) {
    const [was, is] = [comparable(name, before), comparable(name, entry)];
    if (isDeepStrictEqual(is, was)) continue;
    const updated = updateOf(name);
    throw violation(
      `no effect of a refused update: ${name} is still ${show(was)}`,
      `status ${updated.status}, and ${name} is ${show(is)} in the inbox afterwards`,
      updated,
    );
  }
}

/** A member without what the contract leaves open: the order of an array, and additional members of a focus field. */
export function comparable(name: string, entry: Entry): unknown {
  const value = entry[name];
  if (!Array.isArray(value)) return value;
  const items = name === 'focusFields' ? value.map(focusFieldOf) : value;
  const texts = items.map((item: unknown) => [JSON.stringify(item), item] as const);
  return texts.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}

function focusFieldOf(field: unknown): unknown {
  return isRecord(field) ? { path: field['path'], reason: field['reason'] ?? null } : field;
}
