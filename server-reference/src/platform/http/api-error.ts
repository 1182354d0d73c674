import type { ErrorEnvelope, Issue } from '@hookproof/spec';

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

/** Every machine-readable code that an error envelope of this server may carry, and its meaning. */
export const ERROR_CODES = {
  unauthorized: 'No valid key came with the request (401).',
  forbidden: 'The key is valid but lacks the scope (403).',
  invalid_value: 'A parameter or a body field has a value that it must not have (400).',
  malformed_json: 'The body is not JSON in UTF-8 (400).',
  unsupported_media_type:
    'The body is not declared as plain application/json, or as multipart/form-data where a form is taken (400).',
  malformed_multipart: 'The body is not one whole form with one file (400).',
  malformed_request: 'The request is not well-formed HTTP, or arrived too slowly (400).',
  address_invalid: 'An address of the storage does not carry a signature that fits it (403).',
  address_expired: 'An address of the storage was good only until an earlier time (403).',
  agent_not_movable: 'Agents have no folders, so they cannot be moved (400).',
  not_found: 'There is no such resource for this key, or no such operation (404).',
  method_not_allowed: 'The path exists, but not with this method (405, with `Allow`).',
  timed_out: 'What was waited for did not come in time (408, control interface only).',
  workflow_name_conflict: 'Another workflow in the target folder has the name (409).',
  file_name_conflict: 'Another file or folder stands where the file is to go (409).',
  example_name_conflict:
    'Another example of the dataset has the name (409, control interface only).',
  review_closed: 'A closed review request accepts no more changes (409).',
  upload_incomplete: 'No bytes have arrived for the upload (409).',
  upload_mismatch:
    'The bytes that arrived are not of the size or the hash that was declared (409).',
  upload_completed: 'The upload was completed, so it takes no more bytes (409).',
  api_trigger_disabled: 'The automation cannot be started over the API (409).',
  implementation_missing: 'The automation has no implementation that could run (409).',
  invalid_transition: 'The run cannot move to this status from its present one (409).',
  endpoint_not_active:
    'The webhook endpoint is disabled or deleted, so nothing is sent to it (409, control interface only).',
  clock_not_virtual: 'The clock is real, so it cannot be advanced (409, control interface only).',
  payload_too_large: 'The body is larger than the server accepts (413).',
  range_not_satisfiable:
    'The range starts after the last byte of the file (416, with `Content-Range`).',
  rate_limited: 'The key has made too many requests (429, with `Retry-After`).',
  accounting_unavailable:
    'Requests cannot be counted just now; this one was not processed (503, with `Retry-After`).',
  injected_fault: 'An API fault injected this response (the status of the fault).',
  too_many_api_faults: 'No more API faults can be armed (409, control interface only).',
  too_many_delivery_faults: 'No more delivery faults can be armed (409, control interface only).',
  too_many_sinks: 'No more sinks can be opened (409, control interface only).',
  internal_error: 'The server failed; its log tells more (500).',
  storage_failed: 'The change could not be made durable, so it is not acknowledged (500).',
} as const;

/** One of {@link ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES;
