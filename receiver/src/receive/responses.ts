import { VERIFICATION_ERROR_STAGES } from '../verify/errors.ts';
import type { VerificationErrorCode } from '../verify/errors.ts';

type Stages = typeof VERIFICATION_ERROR_STAGES;

/** Why verification refused a delivery before its body was parsed. */
export type RefusalCode = {
  [Code in VerificationErrorCode]: Stages[Code] extends 'event' ? never : Code;
}[VerificationErrorCode];

/** The result of a request; `code` in the body of a response that is not 2xx. */
export type ResponseCode =
  | 'accepted'
  | 'duplicate'
  | 'event_id_conflict'
  | 'method_not_allowed'
  | 'content_type_unsupported'
  | 'body_too_large'
  | 'body_stalled'
  | 'body_aborted'
  | 'body_already_read'
  | 'body_not_bytes'
  | 'request_unexpected'
  | 'overloaded'
  | 'not_started'
  | 'closing'
  | 'store_unavailable'
  | 'secret_rotating'
  | 'secrets_unavailable'
  | 'receiver_failed'
  | RefusalCode;

/**
 * A complete HTTP response, which adapters send unchanged. It contains nothing from the request.
 */
export interface ReceiverResponse {
  /** Why this status, stable between releases. */
  readonly code: ResponseCode;
  /** The HTTP status. */
  readonly status: number;
  /** The header fields of the response, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** `{"code":"…"}`; empty for 2xx, which is faster. */
  readonly body: string;
}

/** Seconds until a sender may retry when the receiver could not accept the event. */
const RETRY_AFTER_SECONDS = '5';

const STATUSES: Readonly<Record<Exclude<ResponseCode, RefusalCode>, number>> = {
  accepted: 202,
  duplicate: 200,
  event_id_conflict: 409,
  method_not_allowed: 405,
  content_type_unsupported: 415,
  body_too_large: 413,
  body_stalled: 408,
  body_aborted: 408,
  body_already_read: 500,
  body_not_bytes: 500,
  request_unexpected: 500,
  overloaded: 503,
  not_started: 503,
  closing: 503,
  store_unavailable: 503,
  secret_rotating: 503,
  secrets_unavailable: 503,
  receiver_failed: 500,
};

/** 401: not authentic. 425: authentic, and the next attempt has a new timestamp. */
const STAGE_STATUSES = { headers: 401, signature: 401, freshness: 425 } as const;

/** Responses are the same for every request, so each is created once. */
const responses = new Map<ResponseCode, ReceiverResponse>();

/**
 * Returns the response for a code. The table keeps two rules: an unverified delivery never gets a
 * 2xx, and a delivery that a retry could save never gets a final 4xx.
 *
 * @throws {TypeError} When the code is not in the table.
 */
export function responseFor(code: ResponseCode): ReceiverResponse {
  const known = responses.get(code);
  if (known !== undefined) return known;
  const response = createResponse(code);
  responses.set(code, response);
  return response;
}

function createResponse(code: ResponseCode): ReceiverResponse {
  const status = statusOf(code);
  const body = status < 300 ? '' : JSON.stringify({ code });
  const headers: Record<string, string> = { 'content-length': String(body.length) };
  if (body !== '') headers['content-type'] = 'application/json';
  if (status === 405) headers['allow'] = 'POST';
  if (status === 503) headers['retry-after'] = RETRY_AFTER_SECONDS;
  if (status === 408 || code === 'closing' || code === 'overloaded')
    headers['connection'] = 'close';
  return { code, status, headers, body };
}

function statusOf(code: ResponseCode): number {
  if (isRefusal(code)) return STAGE_STATUSES[VERIFICATION_ERROR_STAGES[code]];
  if (Object.hasOwn(STATUSES, code)) return STATUSES[code];
  throw new TypeError(`code must be in the table of responses, got ${typeof code} that is not.`);
}

/** Separates the refusals of verification from every other code. */
export function isRefusal(code: ResponseCode | VerificationErrorCode): code is RefusalCode {
  const stages: Readonly<Record<string, string>> = VERIFICATION_ERROR_STAGES;
  return Object.hasOwn(stages, code) && stages[code] !== 'event';
}
