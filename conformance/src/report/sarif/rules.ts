import type { CheckReport } from '../model.ts';

/** What SARIF calls a rule: a requirement of the contract. */
export interface SarifRule {
  readonly id: string;
  readonly [property: string]: unknown;
}

const LEVELS = { must: 'error', should: 'warning', may: 'note' } as const;

/** The requirements of some checks, each once, in their order. */
export function rulesOf(checks: readonly CheckReport[]): SarifRule[] {
  const first = new Map<string, CheckReport>();
  for (const check of checks)
    if (!first.has(check.requirement)) first.set(check.requirement, check);
  return [...first.values()].map(({ requirement, level, rule, clause, side }) => ({
    id: requirement,
    shortDescription: { text: rule },
    fullDescription: { text: rule },
    help: { text: `Clause of the contract: ${clause}. Keyword: ${level}.` },
    defaultConfiguration: { level: LEVELS[level] },
    properties: { tags: [side, level], clause },
  }));
}
