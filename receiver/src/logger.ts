import { levelOf, safely } from './problems.ts';
import type { Problem } from './problems.ts';

/**
 * A logger such as `pino()`: each method takes facts and a message. `console` gets one line of text: the
 * message, and then the facts.
 */
export interface Logger {
  /** Gets each response, the start and the end. */
  debug(facts: object, message: string): void;
  /** Gets nothing today. */
  info(facts: object, message: string): void;
  /** Gets the problems that the receiver gets over alone, such as a handler that will be retried. */
  warn(facts: object, message: string): void;
  /** Gets the problems that need a person. */
  error(facts: object, message: string): void;
}

/**
 * Returns a function that logs a problem, without its cause, and then passes it on. Nothing stops silently:
 * without a logger and a callback the problem goes to the console.
 */
export function problemReporter(
  given: Logger | undefined,
  onError: ((problem: Problem) => void) | undefined,
): (problem: Problem) => void {
  const passOn = safely(onError);
  const logger = given ?? (onError === undefined ? textLogger(console) : undefined);
  if (logger === undefined) return passOn;
  const log = safely(({ cause: _cause, message, ...facts }: Problem) =>
    logger[levelOf(facts.code)](facts, message),
  );
  return (problem) => {
    log(problem);
    passOn(problem);
  };
}

/**
 * Returns the logger to write to.
 *
 * @throws {TypeError} When a method is missing.
 */
export function usableLogger(logger: Logger | undefined): Logger | undefined {
  if (logger === undefined) return undefined;
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    if (typeof logger?.[level] === 'function') continue;
    throw new TypeError(
      `logger must have the methods debug, info, warn and error, got one without ${level}. Pass console or pino().`,
    );
  }
  return logger === console ? textLogger(console) : logger;
}

function textLogger(target: Console): Logger {
  return {
    debug: (facts, message) => target.debug(lineOf(facts, message)),
    info: (facts, message) => target.info(lineOf(facts, message)),
    warn: (facts, message) => target.warn(lineOf(facts, message)),
    error: (facts, message) => target.error(lineOf(facts, message)),
  };
}

/** Returns the message and then the facts, without what breaks a line or moves the cursor of a terminal. */
function lineOf(facts: object, message: string): string {
  const known = Object.entries(facts).filter(([, value]) => value !== null);
  const texts = known.map(([name, value]) => `${name}=${String(value)}`);
  return [message, '[hookproof]', ...texts].join(' ').replaceAll(/\p{Cc}+/gu, ' ');
}
