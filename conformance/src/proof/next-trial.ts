/** One run of a proof: a defect, and the checks that should find it. */
export interface Trial {
  readonly defect: string;
  readonly checks: readonly string[];
}

/** A check that this many defects left green gets no further one. */
const MAX_DEFECTS_OF_A_CHECK = 3;

/**
 * The defect that the most open checks should find and have not met; null when each check has met enough.
 *
 * @param open - ids of the checks without proof
 * @param ledger - the checks that find each defect
 */
export function nextTrial(
  open: readonly string[],
  hasMet: (check: string, defect: string) => boolean,
  ledger: Readonly<Record<string, readonly string[]>>,
): Trial | null {
  const entries = Object.entries(ledger);
  const met = (check: string): number => entries.filter(([defect]) => hasMet(check, defect)).length;
  const waiting = new Set(open.filter((check) => met(check) < MAX_DEFECTS_OF_A_CHECK));
  let best: Trial | null = null;
  for (const [defect, finders] of entries) {
    const checks = finders.filter((check) => waiting.has(check) && !hasMet(check, defect));
    if (checks.length > (best?.checks.length ?? 0)) best = { defect, checks };
  }
  return best;
}
