import { safely } from './problems.ts';
import type { Problem, ProblemCode } from './problems.ts';

/** A logger such as `console` or `pino()`: each method takes facts and a message. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Problems that the receiver gets over alone. All others need a person. */
const WARNINGS: ReadonlySet<ProblemCode> = new Set([
  'overloaded',
  'lease_lost',
  'pool_small',
  'event_unknown',
  'handler_failed',
  'handler_slow',
  'closed_unfinished',
]);

/** Returns a function that logs a problem, without its cause, and then passes it on. */
export function problemReporter(
  logger: Logger | undefined,
  onError: ((problem: Problem) => void) | undefined,
): (problem: Problem) => void {
  const passOn = safely(onError);
  if (logger === undefined) return passOn;
  const log = safely(({ cause: _cause, message, ...facts }: Problem) =>
    WARNINGS.has(facts.code) ? logger.warn(facts, message) : logger.error(facts, message),
  );
  return (problem) => {
    log(problem);
    passOn(problem);
  };
}

/** @throws {TypeError} When a method is missing. */
export function checkLogger(logger: Logger | undefined): void {
  if (logger === undefined) return;
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    if (typeof logger?.[level] === 'function') continue;
    throw new TypeError(
      `logger must have the methods debug, info, warn and error, got one without ${level}. Pass console or pino().`,
    );
  }
}
