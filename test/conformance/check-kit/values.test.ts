import { describe, expect, test } from 'vitest';

import { judgeEach, verdictOfValues } from '../../../conformance/src/check-kit/values.ts';
import type { JudgedValue } from '../../../conformance/src/check-kit/values.ts';
import {
  CouldNotRun,
  Inconclusive,
  NoResponse,
  NotApplicable,
  Violation,
} from '../../../conformance/src/verdict/findings.ts';

const ADMITTED = new Violation({ expected: 'status 400', actual: 'status 200' });
const BROKEN = new Violation({ expected: 'status 400', actual: 'status 500' });
const OPEN = new Inconclusive('Cannot judge.');
const MISSING = new CouldNotRun('no key', '--key');
const FREE = new NotApplicable('the API refuses this text');

function judged(values: Readonly<Record<string, JudgedValue['thrown']>>): JudgedValue[] {
  return Object.entries(values).map(([name, thrown]) => ({ name, thrown }));
}

describe('the verdict of several values', () => {
  test('is a pass when none has another one', () => {
    expect(verdictOfValues(judged({ 'limit=0': null, 'limit=101': null }))).toBeNull();
  });

  test('is the first violation, and names every value that has one', () => {
    const values = {
      'limit=1': null,
      'limit=0': ADMITTED,
      'limit=-1': ADMITTED,
      'limit=5x': BROKEN,
    };
    expect(verdictOfValues(judged(values))?.message).toBe(
      'expected status 400 for limit=0, got status 200; likewise for limit=-1, limit=5x (status 500)',
    );
  });

  test.each([
    [{ one: OPEN, other: ADMITTED }, 'expected status 400 for other, got status 200'],
    [{ one: MISSING, other: OPEN }, 'Cannot judge.'],
    [{ one: FREE, other: MISSING }, 'no key'],
    [{ one: FREE, other: FREE }, 'the API refuses this text'],
  ])('is the heaviest', (values, message) => {
    expect(verdictOfValues(judged(values))?.message).toBe(message);
  });

  test('says nothing of a value that does not apply beside one that does', () => {
    expect(verdictOfValues(judged({ one: FREE, other: null }))).toBeNull();
  });

  test('is that of the values until a connection was lost', async () => {
    const lost = new NoResponse('lost', {
      cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
    });
    const sent: string[] = [];
    const judging = judgeEach(['a', 'b', 'c'], String, (value) => {
      sent.push(value);
      throw value === 'a' ? ADMITTED : lost;
    });
    await expect(judging).rejects.toThrow('expected status 400 for a, got status 200');
    expect(sent).toEqual(['a', 'b']);
  });

  test('is an error of the suite as it was thrown', async () => {
    const mistake = new TypeError('no such member');
    await expect(judgeEach([1], String, () => Promise.reject(mistake))).rejects.toBe(mistake);
  });
});
