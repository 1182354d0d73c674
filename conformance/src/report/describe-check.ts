import type { Requirement } from '@hookproof/spec/requirements';

import type { Check } from '../check-kit/check.ts';
import type { Plan } from '../options/plan.ts';
import type { Finding } from '../verdict/findings.ts';
import { verdictOf } from '../verdict/verdict.ts';
import type { CheckReport } from './model.ts';
import { commandOf, curlOf } from './reproduce.ts';

/** The row of a check in the report. */
export function describeCheck(
  check: Check,
  finding: Finding,
  durationMilliseconds: number,
  plan: Plan,
  requirements: readonly Requirement[],
): CheckReport {
  const { keyword: level, clause, rule } = requirementOf(check, requirements);
  return {
    id: check.id,
    requirement: check.requirements[0],
    side: check.side,
    level,
    verdict: verdictOf(finding, level),
    message: messageOf(check, finding),
    title: check.title,
    access: check.access,
    clause,
    rule,
    durationMilliseconds,
    ...extrasOf(check, finding, plan),
  };
}

/** The primary requirement of a check. Throws when there is no such row. */
export function requirementOf(check: Check, requirements: readonly Requirement[]): Requirement {
  const [primary] = check.requirements;
  const found = requirements.find(({ id }) => id === primary);
  if (found !== undefined) return found;
  throw new Error(`check ${check.id} names requirement ${primary}, which does not exist`);
}

function messageOf(check: Check, finding: Finding): string {
  if (finding.kind === 'pass') return check.title;
  if (finding.kind !== 'violation') return finding.message;
  const { message, expected, actual } = finding.detail;
  return message ?? `expected ${expected}, got ${actual}`;
}

function extrasOf(
  check: Check,
  finding: Finding,
  plan: Plan,
): Pick<CheckReport, 'remedy' | 'locked' | 'violation'> {
  if (finding.kind === 'could-not-run') return { remedy: finding.remedy };
  if (finding.kind === 'not-applicable' && finding.locked) return { locked: true };
  if (finding.kind !== 'violation') return {};
  const { expected, actual, exchange = null } = finding.detail;
  return {
    violation: {
      expected,
      actual,
      exchange,
      curl: exchange === null ? null : curlOf(exchange),
      command: commandOf(check, plan),
      confirmed: finding.confirmed,
    },
  };
}
