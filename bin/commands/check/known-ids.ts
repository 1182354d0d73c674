import { checks } from '@hookproof/conformance';
import { loadRequirements } from '@hookproof/spec/requirements';
import { closest, distance } from 'fastest-levenshtein';

import { UsageError } from '../../command-line/errors.ts';

/** Letters that differ between an id and one that was meant. */
const MAX_MISTAKES = 2;

/** Throws a usage error, which names the nearest id, for one of `--only` that no check has or begins with. */
export function requireKnownIds(only: readonly string[] = []): void {
  const ids = checks.map(({ id }) => id);
  for (const given of only.map((id) => id.replace(/^-/, ''))) {
    if (ids.some((id) => id.startsWith(given))) continue;
    throw unknown('--only must be the id of a check or the beginning of one', given, [
      ...beginnings(ids),
    ]);
  }
}

/**
 * Returns whether a value of `--list` is the id of a check or a requirement, which can be explained. Throws a usage
 * error, which names the nearest id, for one that is not the beginning of a check either.
 */
export function isExplainable(given: string): boolean {
  const ids = checks.map(({ id }) => id);
  const explainable = [...ids, ...loadRequirements().map(({ id }) => id)];
  if (explainable.includes(given)) return true;
  if (ids.some((id) => id.startsWith(given))) return false;
  throw unknown('--list must be the id of a check or a requirement, or its beginning', given, [
    ...explainable,
    ...beginnings(ids),
  ]);
}

function unknown(expected: string, given: string, ids: readonly string[]): UsageError {
  return new UsageError(
    `${expected}, got ${given}. Did you mean ${suggestion(given, ids)}? All of them: hookproof check --list`,
  );
}

/** Returns the id that was probably meant: one that is a typing mistake away, or the family of the given one. */
function suggestion(given: string, ids: readonly string[]): string {
  const nearest = closest(given, ids);
  if (distance(given, nearest) <= MAX_MISTAKES) return nearest;
  const families = [...beginnings([given])].filter(
    (family) => family.includes('.') && ids.includes(family),
  );
  return families.at(-1) ?? nearest;
}

/** The ids, and their beginnings at a point: `api.file` of `api.file.asked-for`. */
function beginnings(ids: readonly string[]): Set<string> {
  return new Set(
    ids.flatMap((id) => {
      const parts = id.split('.');
      return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
    }),
  );
}
