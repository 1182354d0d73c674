/** The field of an error that concerns the request as a whole. */
export const ROOT = '<root>';

/** Why the API refuses what a caller asks for. */
export type DomainErrorCode =
  | 'invalid_value'
  | 'malformed_json'
  | 'invalid_archive'
  | 'agent_not_movable'
  | 'address_invalid'
  | 'address_expired'
  | 'api_trigger_disabled'
  | 'not_found'
  | 'workflow_name_conflict'
  | 'file_name_conflict'
  | 'example_name_conflict'
  | 'review_closed'
  | 'upload_incomplete'
  | 'upload_mismatch'
  | 'upload_completed'
  | 'run_not_completed'
  | 'idempotency_conflict'
  | 'implementation_missing'
  | 'artifacts_zip_too_large'
  | 'payload_too_large';

interface DomainErrorDetails {
  /** One sentence with the suggested fix. */
  readonly hint?: string | undefined;
  readonly conflictingWorkflowId?: string;
}

/** The API refuses what a caller asks for. `http/error-exit.ts` turns it into a response. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: DomainErrorCode;
  /** A parameter's name, a path such as `focusFields[0].path`, or `<root>`. */
  readonly field: string;
  readonly details: DomainErrorDetails;

  constructor(
    code: DomainErrorCode,
    field: string,
    message: string,
    details: DomainErrorDetails = {},
  ) {
    super(message);
    this.code = code;
    this.field = field;
    this.details = details;
  }
}

/** Returns the error for a value that a request must not have. */
export function invalidValue(field: string, message: string, hint?: string): DomainError {
  return new DomainError('invalid_value', field, message, { hint });
}

/** Returns the error for a missing record. Its message must be the same whether or not another tenant has the record. */
export function notFound(field: string, message: string, hint?: string): DomainError {
  return new DomainError('not_found', field, message, { hint });
}
