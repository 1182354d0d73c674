import type { HttpExchange } from './exchange.ts';

/** What a check found to differ from its requirement. */
export interface ViolationDetail {
  /** What the requirement asks for, as a set or a condition: "401", "limit within 1..100". */
  readonly expected: string;
  /** What came instead. */
  readonly actual: string;
  /** One sentence; default "expected …, got …". */
  readonly message?: string;
  /** The smallest exchange that shows it, taken from `ApiResponse.exchange` or built by a listener. */
  readonly exchange?: HttpExchange;
}

/** Thrown by a check: the target differs from the requirement. Becomes fail (must), advice (should) or info (may). */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly code = 'violation';
  readonly detail: ViolationDetail;

  constructor(detail: ViolationDetail) {
    super(detail.message ?? `expected ${detail.expected}, got ${detail.actual}`);
    this.detail = detail;
  }
}

/** Thrown by a check or by the engine: something was not given. `remedy` is the exact flag or line to add. */
export class CouldNotRun extends Error {
  override readonly name = 'CouldNotRun';
  readonly code = 'could_not_run';
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** Thrown by a check or a client: the environment kept the check from judging (no answer, throttled, timed out). */
export class Inconclusive extends Error {
  override readonly name: string = 'Inconclusive';
  readonly code: string = 'inconclusive';
}

/** Thrown by a client: the connection failed, was closed or timed out before a whole answer came. */
export class NoResponse extends Inconclusive {
  override readonly name = 'NoResponse';
  override readonly code = 'no_response';
}

/** Thrown by a check: the requirement does not apply to this target. The message is the reason. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
  readonly code = 'not_applicable';
}
