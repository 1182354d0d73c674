import { defects } from '@hookproof/conformance/proof';
import { describe, expect, test } from 'vitest';

import { variants } from './variants/catalogue.ts';
import type { Judged } from './order.ts';
import { objectionsToDefect, objectionsToVariants } from './verdicts.ts';

const defect = defects.find(({ id }) => id === 'inbox-counter-negative');
const silencing = variants.find(({ silences = [] }) => silences.length > 0);
const silenced = silencing?.silences?.[0] ?? '';

/** A run in which the checks have these verdicts. */
function judged(verdicts: Readonly<Record<string, string>>, suiteErrors: string[] = []): Judged {
  const checks = Object.entries(verdicts).map(([id, verdict]) => ({ id, verdict, message: null }));
  return { outcome: 'conformant', exitCode: 0, suiteErrors, checks };
}

describe('a defect', () => {
  if (defect === undefined) throw new TypeError('The defect must exist.');

  test.each([
    {
      when: 'a check of its requirement fails',
      verdicts: { 'api.response.inbox': 'fail' },
      objections: 0,
    },
    { when: 'every check passes', verdicts: { 'api.response.inbox': 'pass' }, objections: 1 },
    {
      when: 'its check could not decide',
      verdicts: { 'api.response.inbox': 'inconclusive' },
      objections: 1,
    },
    {
      when: 'a check of another requirement fails',
      verdicts: { 'api.template.slug': 'fail' },
      objections: 1,
    },
    {
      when: 'the suite has an error in another check',
      verdicts: { 'api.response.inbox': 'fail', 'api.inbox.alias': 'harness-error' },
      objections: 1,
    },
  ])('$when: $objections objections', ({ verdicts, objections }) => {
    expect(objectionsToDefect(defect, judged(verdicts))).toHaveLength(objections);
  });

  test('an error of the suite is an objection', () => {
    const run = judged({ 'api.response.inbox': 'fail' }, ['unhandled rejection']);
    expect(objectionsToDefect(defect, run)).toEqual(['unhandled rejection']);
  });
});

describe('variants', () => {
  test.each([
    { verdict: 'pass', elsewhere: 0, where: 0 },
    { verdict: 'could-not-run', elsewhere: 1, where: 0 },
    { verdict: 'inconclusive', elsewhere: 1, where: 0 },
    { verdict: 'fail', elsewhere: 1, where: 1 },
    { verdict: 'advice', elsewhere: 1, where: 0 },
    { verdict: 'harness-error', elsewhere: 1, where: 1 },
  ])('$verdict of a check', ({ verdict, elsewhere, where }) => {
    if (silencing === undefined) throw new TypeError('A variant must silence a check.');
    expect(objectionsToVariants([silencing], judged({ 'api.other': verdict }))).toHaveLength(
      elsewhere,
    );
    expect(objectionsToVariants([silencing], judged({ [silenced]: verdict }))).toHaveLength(where);
  });
});
