import { RETRIED_STATUSES } from '@hookproof/spec';
import { describe, expect, it } from 'vitest';

import { answerFor } from '../../receiver/src/answers.ts';
import type { AnswerCode } from '../../receiver/src/answers.ts';
import { VERIFICATION_ERROR_STAGES } from '../../receiver/src/errors.ts';

interface Row {
  readonly status: number;
  /** Whether the same event, sent once more, could be accepted. */
  readonly canRetrySave: boolean;
  /** Whether the signature was found good before this answer. */
  readonly isVerified: boolean;
}

const row = (status: number, canRetrySave: boolean, isVerified: boolean): Row => ({
  status,
  canRetrySave,
  isVerified,
});

/** The whole table, written a second time: a change of an answer has to be meant. */
const EXPECTED: Readonly<Record<AnswerCode, Row>> = {
  accepted: row(202, false, true),
  duplicate: row(200, false, true),
  event_id_conflict: row(409, false, true),
  method_not_allowed: row(405, false, false),
  content_type_unsupported: row(415, false, false),
  body_too_large: row(413, false, false),
  body_stalled: row(408, true, false),
  body_aborted: row(408, true, false),
  body_already_read: row(500, true, false),
  overloaded: row(503, true, false),
  not_started: row(503, true, false),
  closing: row(503, true, false),
  store_unavailable: row(503, true, true),
  receiver_failed: row(500, true, false),
  header_missing: row(401, false, false),
  header_repeated: row(401, false, false),
  id_malformed: row(401, false, false),
  timestamp_malformed: row(401, false, false),
  signature_malformed: row(401, false, false),
  signature_mismatch: row(401, false, false),
  timestamp_too_old: row(425, true, true),
  timestamp_too_new: row(425, true, true),
};

const codes = Object.keys(EXPECTED) as AnswerCode[];

describe('the table of answers', () => {
  it.each(codes)('%s', (code) => {
    const answer = answerFor(code);
    expect(answer).toMatchObject({
      code,
      status: EXPECTED[code].status,
      body: `{"code":"${code}"}`,
    });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(answer.body.length),
    });
  });

  it('has a row for every refusal of verification that comes before the body is read', () => {
    const refusals = Object.entries(VERIFICATION_ERROR_STAGES)
      .filter(([, stage]) => stage !== 'event')
      .map(([code]) => code);
    expect(codes).toEqual(expect.arrayContaining(refusals));
  });

  it('gives no 2xx to what is not verified', () => {
    const accepting = codes.filter((code) => answerFor(code).status < 300);
    expect(accepting.filter((code) => !EXPECTED[code].isVerified)).toEqual([]);
    expect(accepting).toEqual(['accepted', 'duplicate']);
  });

  it('gives no final answer to what one more attempt could save', () => {
    const lost = codes.filter(
      (code) => EXPECTED[code].canRetrySave && !isRetried(answerFor(code).status),
    );
    expect(lost).toEqual([]);
  });

  it('names the method, when to come back, and the end of a broken connection', () => {
    expect(answerFor('method_not_allowed').headers['allow']).toBe('POST');
    for (const code of codes) {
      const { status, headers } = answerFor(code);
      expect(headers['retry-after'], code).toBe(status === 503 ? '5' : undefined);
    }
    expect(answerFor('body_stalled').headers['connection']).toBe('close');
    expect(answerFor('closing').headers['connection']).toBe('close');
  });
});

function isRetried(status: number): boolean {
  return status >= 500 || RETRIED_STATUSES.includes(status);
}
