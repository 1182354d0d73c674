import type { ErrorEnvelope, Issue } from '@hookproof/spec';

import type { ErrorCode } from './error-codes.ts';

/** The field of an issue that concerns the request as a whole. */
export const ROOT = '<root>';

/** One thing that is wrong: `field` is a parameter's name, a path such as `focusFields[0].path`, or `<root>`. */
export interface ApiIssue extends Issue {
  code: ErrorCode;
}

interface ApiErrorDetails {
  /** How the mistake is probably put right. */
  readonly hint?: string;
  readonly conflictingWorkflowId?: string;
  /** Headers of the answer, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer other than success. Whatever throws it, it leaves through {@link answerErrors}. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly issues: readonly ApiIssue[];
  readonly details: ApiErrorDetails;

  constructor(status: number, issues: readonly ApiIssue[], details: ApiErrorDetails = {}) {
    super(issues.map((one) => `${one.field}: ${one.message}`).join('; '));
    this.status = status;
    this.issues = issues;
    this.details = details;
  }

  /** The body of the answer: the one form of every error. */
  envelope(requestId: string): ErrorEnvelope {
    const { hint, conflictingWorkflowId } = this.details;
    return {
      issues: [...this.issues],
      requestId,
      ...(hint === undefined ? {} : { hint }),
      ...(conflictingWorkflowId === undefined ? {} : { conflictingWorkflowId }),
    };
  }
}

/** An issue of severity `error`. */
export function issue(code: ErrorCode, field: string, message: string): ApiIssue {
  return { field, message, code, severity: 'error' };
}

/** 400 with one issue. */
export function badRequest(
  code: ErrorCode,
  field: string,
  message: string,
  hint?: string,
): ApiError {
  return new ApiError(400, [issue(code, field, message)], hint === undefined ? {} : { hint });
}

/** 404. The text must not depend on whether the resource exists for somebody else. */
export function notFound(field: string, message: string, hint?: string): ApiError {
  const details = hint === undefined ? {} : { hint };
  return new ApiError(404, [issue('not_found', field, message)], details);
}
