import { checks } from '@hookproof/conformance';

import { UsageError } from '../../command-line/errors.ts';
import { nearestOf } from '../../command-line/nearest.ts';

/** Throws a usage error, which names the nearest id, for one of `--only` that no check has or begins with. */
export function requireKnownIds(only: readonly string[] = []): void {
  const ids = checks.map(({ id }) => id);
  for (const given of only.map((id) => id.replace(/^-/, ''))) {
    if (ids.some((id) => id.startsWith(given))) continue;
    throw new UsageError(
      `--only must be the id of a check or the beginning of one, got ${given}. Did you mean ${nearestOf(given, [...beginnings(ids)])}? All of them: hookproof check --list`,
    );
  }
}

/** The ids, and their beginnings at a point: `api.file` of `api.file.fields`. */
function beginnings(ids: readonly string[]): Set<string> {
  return new Set(
    ids.flatMap((id) => {
      const parts = id.split('.');
      return parts.map((_, place) => parts.slice(0, place + 1).join('.'));
    }),
  );
}
