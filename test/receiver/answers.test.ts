import { RETRIED_STATUSES } from '@hookproof/spec';
import { describe, expect, it } from 'vitest';

import { answerFor } from '../../receiver/src/answers.ts';
import type { AnswerCode } from '../../receiver/src/answers.ts';
import { VERIFICATION_ERROR_STAGES } from '../../receiver/src/errors.ts';
import { EXPECTED_ANSWERS } from './expected-answers.ts';

const codes = Object.keys(EXPECTED_ANSWERS) as AnswerCode[];

describe('the table of answers', () => {
  it.each(codes)('%s', (code) => {
    const answer = answerFor(code);
    expect(answer).toMatchObject({
      code,
      status: EXPECTED_ANSWERS[code].status,
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
    expect(accepting.filter((code) => !EXPECTED_ANSWERS[code].isVerified)).toEqual([]);
    expect(accepting).toEqual(['accepted', 'duplicate']);
  });

  it('gives no final answer to what one more attempt could save', () => {
    const lost = codes.filter(
      (code) => EXPECTED_ANSWERS[code].canRetrySave && !isRetried(answerFor(code).status),
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
