import type { Requirement } from '@hookproof/spec/requirements';

import type { Check } from '../check-kit/check.ts';
import { observedCause } from '../diagnosis/observed.ts';
import type { Facts } from '../options/facts.ts';
import type { Plan } from '../options/plan.ts';
import type { Finding } from '../verdict/findings.ts';
import { verdictOf } from '../verdict/verdict.ts';
import type { CheckReport } from './model.ts';
import { reproductionOf } from './reproduce/reproduction.ts';

/** What the commands of a report are made of. */
interface KnownRun {
  readonly plan: Plan;
  readonly facts: Facts;
}

/** The row of a check in the report. */
export function describeCheck(
  check: Check,
  finding: Finding,
  durationMilliseconds: number,
  { plan, facts }: KnownRun,
  requirements: readonly Requirement[],
): CheckReport {
  const { keyword: level, clause, rule } = requirementOf(check, requirements);
  return {
    id: check.id,
    requirement: check.requirements[0],
    requirements: check.requirements,
    side: check.side,
    level,
    verdict: verdictOf(finding, level),
    message: messageOf(check, finding),
    title: check.title,
    access: check.access,
    clause,
    rule,
    durationMilliseconds,
    ...extrasOf(check, finding, { plan, facts }),
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
  { plan, facts }: KnownRun,
): Pick<CheckReport, 'remedies' | 'violation'> {
  if (finding.kind === 'could-not-run') return { remedies: finding.remedies };
  if (finding.kind === 'inconclusive' && finding.remedies !== undefined) {
    return { remedies: finding.remedies };
  }
  if (finding.kind !== 'violation') return {};
  const {
    expected,
    actual,
    exchange = null,
    control = null,
    attempts = [],
    onlyBySuite,
  } = finding.detail;
  const { side } = check;
  const { steps } = finding;
  const shown =
    onlyBySuite === true ? { check, exchange: null, steps: [] } : { check, exchange, steps };
  const known = finding.detail.diagnosis ?? observedCause({ side, expected, exchange });
  return {
    violation: {
      expected,
      actual,
      exchange,
      control,
      attempts,
      diagnosis: known ?? { cause: null, fix: null },
      reproduce: reproductionOf(shown, plan, facts),
      command: commandOf(check, plan),
      confirmed: finding.confirmed,
    },
  };
}

/** The line that runs one check alone. */
function commandOf({ id }: Check, { command }: Plan): string {
  return command === null
    ? `runConformance({ ...options, only: ['${id}'] })`
    : `${command} --only ${id}`;
}
