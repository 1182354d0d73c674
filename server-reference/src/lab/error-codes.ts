import type { ApiIssue } from '../http/api-error.ts';

/** The error codes of the lab, with their meanings. */
export const LAB_ERROR_CODES = {
  timed_out: 'The awaited state was not reached before the timeout (408, control interface only).',
  endpoint_not_active: 'The webhook endpoint is disabled or deleted (409, control interface only).',
  event_id_conflict:
    'An event with this ID and another payload exists (409, control interface only).',
  clock_not_virtual: 'The clock is real and cannot be advanced (409, control interface only).',
  default_world: 'The default world cannot be deleted (409, control interface only).',
  injected_fault: 'An API fault caused this response (with the status of the fault).',
  too_many_api_faults:
    'The maximum number of API faults is already armed (409, control interface only).',
  too_many_delivery_faults:
    'The maximum number of delivery faults is already armed (409, control interface only).',
  too_many_streams: 'The maximum number of streams is already open (409, control interface only).',
} as const;

/** One of {@link LAB_ERROR_CODES}. */
type LabErrorCode = keyof typeof LAB_ERROR_CODES;

/** An issue of severity `error`. */
export function labIssue(code: LabErrorCode, field: string, message: string): ApiIssue {
  return { field, message, code, severity: 'error' };
}
