import type { ViolationDetail } from './findings.ts';

/** How much a requirement binds: its keyword. */
export type Level = 'must' | 'should' | 'may';

/** What a run says about one check. */
export const VERDICTS = [
  'pass',
  'fail',
  'advice',
  'info',
  'not-applicable',
  'could-not-run',
  'inconclusive',
  'harness-error',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What came of running a check, before its requirement's keyword is weighed in. */
export type Finding =
  | { readonly kind: 'pass' }
  | { readonly kind: 'violation'; readonly detail: ViolationDetail; readonly confirmed: number }
  | { readonly kind: 'not-applicable'; readonly message: string; readonly locked: boolean }
  | { readonly kind: 'could-not-run'; readonly message: string; readonly remedy: string }
  | { readonly kind: 'inconclusive'; readonly message: string }
  | { readonly kind: 'harness-error'; readonly message: string };

const VERDICT_OF_VIOLATION: Record<Level, Verdict> = {
  must: 'fail',
  should: 'advice',
  may: 'info',
};

/** A violation weighs what the keyword of its requirement weighs; everything else is its own verdict. */
export function verdictOf(finding: Finding, level: Level): Verdict {
  return finding.kind === 'violation' ? VERDICT_OF_VIOLATION[level] : finding.kind;
}
