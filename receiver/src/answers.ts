import { VERIFICATION_ERROR_STAGES } from './errors.ts';
import type { VerificationErrorCode } from './errors.ts';

type Stages = typeof VERIFICATION_ERROR_STAGES;

/** Why verification refused, before the body was looked into. */
export type RefusalCode = {
  [Code in VerificationErrorCode]: Stages[Code] extends 'event' ? never : Code;
}[VerificationErrorCode];

/** What became of a request; `code` of the answer's body. */
export type AnswerCode =
  | 'accepted'
  | 'duplicate'
  | 'event_id_conflict'
  | 'method_not_allowed'
  | 'content_type_unsupported'
  | 'body_too_large'
  | 'body_stalled'
  | 'body_aborted'
  | 'body_already_read'
  | 'overloaded'
  | 'not_started'
  | 'closing'
  | 'store_unavailable'
  | 'secret_rotating'
  | 'receiver_failed'
  | RefusalCode;

/** A whole HTTP answer: adapters send it as it is. Nothing of the request is in it. */
export interface Answer {
  readonly code: AnswerCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Seconds after which a sender may try again when the receiver could not take the event. */
const RETRY_AFTER_SECONDS = '5';

const STATUSES: Readonly<Record<Exclude<AnswerCode, RefusalCode>, number>> = {
  accepted: 202,
  duplicate: 200,
  event_id_conflict: 409,
  method_not_allowed: 405,
  content_type_unsupported: 415,
  body_too_large: 413,
  body_stalled: 408,
  body_aborted: 408,
  body_already_read: 500,
  overloaded: 503,
  not_started: 503,
  closing: 503,
  store_unavailable: 503,
  secret_rotating: 503,
  receiver_failed: 500,
};

/** 401: not authentic. 425: authentic, and the next attempt is signed afresh. */
const STAGE_STATUSES = { headers: 401, signature: 401, freshness: 425 } as const;

/** The one table of answers: nothing unverified gets a 2xx, nothing a retry could save a final 4xx. */
export function answerFor(code: AnswerCode): Answer {
  const known = answers.get(code);
  if (known !== undefined) return known;
  const answer = toAnswer(code);
  answers.set(code, answer);
  return answer;
}

/** An answer is the same for every request, so each is made once. */
const answers = new Map<AnswerCode, Answer>();

function toAnswer(code: AnswerCode): Answer {
  const status = statusOf(code);
  const body = JSON.stringify({ code });
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'content-length': String(body.length),
  };
  if (status === 405) headers['allow'] = 'POST';
  if (status === 503) headers['retry-after'] = RETRY_AFTER_SECONDS;
  if (status === 408 || code === 'closing') headers['connection'] = 'close';
  return { code, status, headers, body };
}

function statusOf(code: AnswerCode): number {
  return isRefusal(code) ? STAGE_STATUSES[VERIFICATION_ERROR_STAGES[code]] : STATUSES[code];
}

/** Tells the refusals of verification from every other code. */
export function isRefusal(code: AnswerCode | VerificationErrorCode): code is RefusalCode {
  const stages: Readonly<Record<string, string>> = VERIFICATION_ERROR_STAGES;
  const stage = stages[code];
  return stage !== undefined && stage !== 'event';
}
