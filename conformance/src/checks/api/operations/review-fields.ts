import { pathOf } from '../../../http/contract.ts';
import { isRecord } from '../../../http/message.ts';
import type { Reading } from '../../../undo/undo.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import { INBOX } from './lists.ts';

/** A review request in the inbox. */
export type Entry = Readonly<Record<string, unknown>>;

/** The members that an update can change. */
export const UPDATABLE = [
  'title',
  'instructions',
  'focusFields',
  'ignoredFields',
  'status',
] as const;

/** The path at which a review request is updated. */
export function reviewPath(entry: Entry): string {
  const [id, reviewId] = [String(entry['automationId']), String(entry['id'])];
  return pathOf('updateDatasetReviewRequest', { id, reviewId });
}

/** How a review request is, and how it is put back. */
export function readingOf(entry: Entry): Reading {
  const id = String(entry['id']);
  const known = UPDATABLE.filter((name) => entry[name] !== undefined);
  return {
    what: `review request ${id}`,
    read: { path: INBOX.path, id },
    write: { path: reviewPath(entry) },
    fields: Object.fromEntries(known.map((name) => [name, entry[name]])),
  };
}

/** The current value of every field, in a form that an update accepts. */
export function everyField({ disposable }: { readonly disposable: boolean }, entry: Entry): Entry {
  const { title, instructions, focusFields, ignoredFields, status } = entry;
  if (instructions === null && !disposable) {
    throw new CouldNotRun(
      `the review request ${String(entry['id'])} must have instructions, because an update cannot set them back to null`,
      'give the id of a review request with instructions',
    );
  }
  const fields = Array.isArray(focusFields) ? focusFields.filter(isRecord) : [];
  return {
    title,
    instructions: instructions ?? 'Instructions given by the suite',
    focusFields: fields.map(({ path, reason }) => ({ path, reason: reason ?? 'For the suite' })),
    ignoredFields,
    status,
  };
}
