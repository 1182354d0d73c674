import type { CheckReport } from './model.ts';

/** The message of a red when it says more than its expected and actual do; else null. */
export function ownMessage({ message, violation }: CheckReport): string | null {
  if (violation === undefined) return null;
  return message === `expected ${violation.expected}, got ${violation.actual}` ? null : message;
}
