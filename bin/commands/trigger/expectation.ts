import type { AttemptRow } from '@hookproof/spec/control';
import { InvalidArgumentError } from 'commander';

import type { Scenario } from '@hookproof/spec/scenarios';

/** A status such as `401`, or a class of statuses such as `2xx`. */
export type Expected = string;

/** Parses `--expect`. */
export function expected(text: string): Expected {
  if (/^([1-5]xx|[1-5][0-9]{2})$/.test(text)) return text;
  throw new InvalidArgumentError('Expected 2xx, 4xx or another class, or a status such as 401.');
}

/** The responses of the app to one delivery, compared with what was expected. */
export interface Judgement {
  readonly isExpected: boolean;
  /** The first response that differs, or `no attempt`. */
  readonly got: string;
}

/**
 * Judges a delivery. If the fault of the scenario must be refused, the faulty attempts count. Otherwise the last
 * attempt counts, because the platform retries.
 */
export function judge(
  attempts: readonly AttemptRow[],
  { expects, fault }: Pick<Scenario, 'expects' | 'fault'>,
  asked: Expected | undefined,
): Judgement {
  const faulty = attempts.filter(({ deliveryFault }) => deliveryFault === fault?.name);
  const judged = expects === '4xx' ? faulty : attempts.slice(-1);
  const differing = judged.find((attempt) => !matches(attempt, asked ?? expects));
  if (judged.length === 0) return { isExpected: false, got: 'no attempt' };
  if (differing === undefined) return { isExpected: true, got: '' };
  return { isExpected: false, got: String(differing.status ?? differing.error) };
}

function matches({ status }: AttemptRow, pattern: Expected): boolean {
  if (status === null) return false;
  const text = String(status);
  return pattern.endsWith('xx') ? text[0] === pattern[0] : text === pattern;
}
