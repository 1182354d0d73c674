import type { ErrorEnvelope, Issue } from '@hookproof/spec';

/** The field of an error that concerns the request as a whole. */
export const ROOT = '<root>';

/** Every error code of the server, with its status and its meaning. */
export const ERRORS = {
  unauthorized: [401, 'The API key is missing or invalid.'],
  forbidden: [403, 'The API key does not have the required scope.'],
  invalid_value: [400, 'A parameter or a body field has an invalid value.'],
  malformed_json: [400, 'The body is not valid JSON in UTF-8.'],
  unsupported_media_type: [
    400,
    'The body is not declared as application/json, or as multipart/form-data for a form upload.',
  ],
  malformed_multipart: [
    400,
    'The body is not a complete form, or a part is sent in the wrong form.',
  ],
  malformed_request: [400, 'The request is not valid HTTP, or stalled.'],
  address_invalid: [403, 'The signature of the storage URL is missing or invalid.'],
  address_expired: [403, 'The storage URL has expired.'],
  agent_not_movable: [400, 'Agents have no folders and cannot be moved.'],
  not_found: [
    404,
    'The resource or the operation does not exist, or the resource belongs to another tenant.',
  ],
  method_not_allowed: [405, 'The path does not support this method. The response has `Allow`.'],
  workflow_name_conflict: [409, 'Another workflow in the target folder has this name.'],
  file_name_conflict: [409, 'Another file or folder has this path.'],
  example_name_conflict: [409, 'The dataset already has an example with this name.'],
  review_closed: [409, 'The dataset review request is closed and cannot be updated.'],
  upload_incomplete: [409, 'The upload has no content.'],
  upload_mismatch: [409, 'The content of the upload differs from the declared size or hash.'],
  upload_completed: [
    409,
    'The upload is complete. It accepts no other content and cannot be aborted.',
  ],
  run_not_completed: [409, 'The run is not completed, so it cannot become a dataset example.'],
  idempotency_conflict: [
    409,
    'Another upload of the tenant has this `idempotencyKey`, and was declared differently.',
  ],
  api_trigger_disabled: [403, 'The automation cannot be started through the API.'],
  implementation_missing: [409, 'The automation has no implementation.'],
  invalid_transition: [
    409,
    'The run cannot change from its current status to this one. Control interface only.',
  ],
  artifacts_zip_too_large: [413, 'The files of the archive exceed the maximum size.'],
  payload_too_large: [413, 'The body exceeds the maximum size.'],
  precondition_failed: [412, 'The file is not the one that `If-Match` names.'],
  range_not_satisfiable: [
    416,
    'The range begins after the end of the file. The response has `Content-Range`.',
  ],
  misdirected_request: [421, 'The Host header names no address of this server.'],
  rate_limited: [429, 'The API key exceeded its rate limit. The response has `Retry-After`.'],
  accounting_unavailable: [
    503,
    'Rate limits are temporarily unavailable. The request was not processed. The response has `Retry-After`.',
  ],
  internal_error: [
    500,
    'An internal error occurred. The log of the server has details. What the request changed may be stored.',
  ],
  storage_full: [
    503,
    'The data file has its maximum size. Nothing was changed. The response has `Retry-After`.',
  ],
  timed_out: [408, 'The awaited state was not reached before the timeout. Control interface only.'],
  endpoint_not_active: [
    409,
    'The webhook endpoint is disabled or deleted. Control interface only.',
  ],
  event_id_conflict: [
    409,
    'An event with this ID and another payload exists. Control interface only.',
  ],
  clock_not_virtual: [409, 'The clock is real and cannot be advanced. Control interface only.'],
  default_world: [409, 'The default world cannot be deleted. Control interface only.'],
  injected_fault: [503, 'An API fault caused this response.'],
  too_many_api_faults: [
    409,
    'The maximum number of API faults is already armed. Control interface only.',
  ],
  too_many_delivery_faults: [
    409,
    'The maximum number of delivery faults is already armed. Control interface only.',
  ],
  too_many_streams: [409, 'The maximum number of streams is already open. Control interface only.'],
} as const;

/** One of {@link ERRORS}. */
export type ErrorCode = keyof typeof ERRORS;

/** One violation. `field` is a parameter's name, a path such as `focusFields[0].path`, or `<root>`. */
export interface ApiIssue extends Issue {
  readonly code: ErrorCode;
}

interface ErrorDetails {
  /** One sentence with the suggested fix. */
  readonly hint?: string | undefined;
  readonly conflictingWorkflowId?: string;
  /** Extra response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: that of the code of the first issue. */
  readonly status?: number;
}

/** The server refuses a request, or fails. `http/error-exit.ts` turns it into the response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly issues: readonly ApiIssue[];
  readonly details: ErrorDetails;

  /** @param issues - at least one */
  constructor(issues: readonly ApiIssue[], details: ErrorDetails = {}) {
    super(issues.map((one) => `${one.field}: ${one.message}`).join('; '));
    const [status] = ERRORS[issues[0]?.code ?? 'internal_error'];
    this.status = details.status ?? status;
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

/** Returns an error with one issue. */
export function refusal(
  code: ErrorCode,
  field: string,
  message: string,
  details?: ErrorDetails,
): ApiError {
  return new ApiError([issue(code, field, message)], details);
}

/** Returns the error for a value that a request must not have. */
export function invalidValue(field: string, message: string, hint?: string): ApiError {
  return refusal('invalid_value', field, message, { hint });
}

/** Returns the error for a missing record. Its message must be the same whether or not another tenant has the record. */
export function notFound(field: string, message: string, hint?: string): ApiError {
  return refusal('not_found', field, message, { hint });
}
