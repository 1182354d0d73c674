import type { ErrorEnvelope, Issue } from '@hookproof/spec';

import { ROOT } from '../domain-error.ts';
import type { DomainError, DomainErrorCode } from '../domain-error.ts';

/** One violation. `field` is a parameter's name, a path such as `focusFields[0].path`, or `<root>`. */
export type ApiIssue = Issue;

interface ApiErrorDetails {
  /** One sentence with the suggested fix. */
  readonly hint?: string | undefined;
  readonly conflictingWorkflowId?: string;
  /** Extra response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error response. Throw it anywhere in a request; {@link respondErrors} writes it. */
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

  /** Returns the response body, which has the same form for every error. */
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

/** Returns an issue of severity `error`. A parameter without a name concerns the request as a whole. */
export function issue(code: ErrorCode, field: string, message: string): ApiIssue {
  return { field: field || ROOT, message, code, severity: 'error' };
}

const STATUSES: Readonly<Record<DomainErrorCode, number>> = {
  invalid_value: 400,
  malformed_json: 400,
  invalid_archive: 400,
  agent_not_movable: 400,
  address_invalid: 403,
  address_expired: 403,
  api_trigger_disabled: 403,
  not_found: 404,
  workflow_name_conflict: 409,
  file_name_conflict: 409,
  example_name_conflict: 409,
  review_closed: 409,
  upload_incomplete: 409,
  upload_mismatch: 409,
  upload_completed: 409,
  run_not_completed: 409,
  idempotency_conflict: 409,
  implementation_missing: 409,
  artifacts_zip_too_large: 413,
  payload_too_large: 413,
};

/** Returns the response to an error of the domain. */
export function responseTo({ code, field, message, details }: DomainError): ApiError {
  return new ApiError(STATUSES[code], [issue(code, field, message)], details);
}

/** Returns a 400 with one issue. */
export function badRequest(
  code: ErrorCode,
  field: string,
  message: string,
  hint?: string,
): ApiError {
  return new ApiError(400, [issue(code, field, message)], hint === undefined ? {} : { hint });
}

/** Returns a 404. Its message must be the same whether or not another tenant has the resource. */
export function notFound(field: string, message: string, hint?: string): ApiError {
  const details = hint === undefined ? {} : { hint };
  return new ApiError(404, [issue('not_found', field, message)], details);
}

/** The error codes of the API, with their meanings. */
export const ERROR_CODES = {
  unauthorized: 'The API key is missing or invalid (401).',
  forbidden: 'The API key does not have the required scope (403).',
  invalid_value: 'A parameter or a body field has an invalid value (400).',
  malformed_json: 'The body is not valid JSON in UTF-8 (400).',
  unsupported_media_type:
    'The body is not declared as application/json, or as multipart/form-data for a form upload (400).',
  malformed_multipart:
    'The body is not a complete form, or a part is sent in the wrong form (400).',
  malformed_request: 'The request is not valid HTTP, or stalled (400).',
  address_invalid: 'The signature of the storage URL is missing or invalid (403).',
  address_expired: 'The storage URL has expired (403).',
  invalid_archive: 'The file is not an archive of a dataset (400).',
  agent_not_movable: 'Agents have no folders and cannot be moved (400).',
  not_found:
    'The resource or the operation does not exist, or the resource belongs to another tenant (404).',
  method_not_allowed: 'The path does not support this method (405, with `Allow`).',
  workflow_name_conflict: 'Another workflow in the target folder has this name (409).',
  file_name_conflict: 'Another file or folder has this path (409).',
  example_name_conflict: 'The dataset already has an example with this name (409).',
  review_closed: 'The dataset review request is closed and cannot be updated (409).',
  upload_incomplete: 'The upload has no content (409).',
  upload_mismatch: 'The content of the upload differs from the declared size or hash (409).',
  upload_completed:
    'The upload is complete. It accepts no other content and cannot be aborted (409).',
  run_not_completed: 'The run is not completed, so it cannot become a dataset example (409).',
  idempotency_conflict:
    'Another upload of the tenant has this `idempotencyKey`, and was declared differently (409).',
  api_trigger_disabled: 'The automation cannot be started through the API (403).',
  implementation_missing: 'The automation has no implementation (409).',
  invalid_transition:
    'The run cannot change from its current status to this one (409, control interface only).',
  artifacts_zip_too_large: 'The files of the archive exceed the maximum size (413).',
  payload_too_large: 'The body exceeds the maximum size (413).',
  range_not_satisfiable: 'The range begins after the end of the file (416, with `Content-Range`).',
  misdirected_request: 'The Host header names no address of this server (421).',
  rate_limited: 'The API key exceeded its rate limit (429, with `Retry-After`).',
  accounting_unavailable:
    'Rate limits are temporarily unavailable. The request was not processed (503, with `Retry-After`).',
  internal_error: 'An internal error occurred. The log of the server has details (500).',
  storage_full: 'The server keeps as much as it can. Nothing was added (503, with `Retry-After`).',
  storage_failed:
    'The change could not be stored. It stays in memory, and the next write that succeeds stores it (503, with `Retry-After`).',
} as const;

/** One of {@link ERROR_CODES}. */
type ErrorCode = keyof typeof ERROR_CODES;
