import type { Answer } from './answer.ts';

/** Answers that are given one after another; the last one stays. */
export type Script = readonly [Answer, ...Answer[]];

/** Without another wish, every arrival is taken. */
export const DEFAULT_SCRIPT: Script = [{ status: 200 }];

/** The answer that comes next, and the script that is left after it. */
export function takeAnswer([answer, next, ...others]: Script): {
  readonly answer: Answer;
  readonly left: Script;
} {
  return { answer, left: next === undefined ? [answer] : [next, ...others] };
}
