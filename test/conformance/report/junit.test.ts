import { describe, expect, test } from 'vitest';

import { renderJunit } from '@hookproof/conformance';

import { sampleCheck, sampleRed, sampleReport } from './sample-report.ts';

const SIDES = sampleReport(
  [
    sampleCheck(),
    sampleCheck({ id: 'api.sample.open', verdict: 'inconclusive', message: 'no response' }),
    sampleCheck({
      id: 'api.sample.missing',
      verdict: 'could-not-run',
      message: 'needs a key',
      remedies: [{ text: '--key KEY' }],
    }),
    sampleCheck({ id: 'sender.sample.none', side: 'sender', verdict: 'not-applicable' }),
    sampleRed('the text'),
  ],
  { outcome: 'violated', exitCode: 1 },
);

describe('JUnit XML', () => {
  test('has a suite for each side and one for the run, with totals', () => {
    const suites = [...renderJunit(SIDES).matchAll(/<testsuites? [^>]*>/g)].map(([tag]) =>
      tag.replace(/ time.*/, ''),
    );
    expect(suites).toEqual([
      '<testsuites name="hookproof" tests="6" failures="1" errors="1"',
      '<testsuite name="api" tests="4" failures="1" errors="1" skipped="1"',
      '<testsuite name="sender" tests="1" failures="0" errors="0" skipped="1"',
      '<testsuite name="run" tests="1" failures="0" errors="0" skipped="0"',
    ]);
  });

  test('shows a failure with its requirement, its exchange and how to repeat it', () => {
    const [, body = ''] = /<failure [^>]*>(.*?)<\/failure>/s.exec(renderJunit(SIDES)) ?? [];
    expect(body.split('\n').map((line) => line.split(':')[0])).toEqual(
      expect.arrayContaining([
        'title',
        'requirement',
        'rule',
        'expected',
        'suite sent',
        'fix',
        'reproduce',
      ]),
    );
  });

  test('shows what a check without a result needs', () => {
    expect(renderJunit(SIDES)).toContain('<skipped>needs a key\nremedy: --key KEY</skipped>');
  });

  test('shows an outcome that no check states, and each error of the suite', () => {
    const xml = renderJunit(
      sampleReport([], { outcome: 'no-result', exitCode: 5, suiteErrors: ['a', 'b'] }),
    );
    expect(xml).toContain('<error message="conformant" type="no-result"/>');
    expect(xml.match(/type="suite-error"/g)).toHaveLength(2);
  });

  test('names a test by the title of its check, in a class that is its id', () => {
    expect(renderJunit(SIDES)).toContain(
      '<testcase name="does what it should" classname="api.sample.check"',
    );
  });

  test('has the time of each check, and the sum for each suite and for all', () => {
    const xml = renderJunit(
      sampleReport([sampleCheck(), sampleCheck({ durationMilliseconds: 2_000 })]),
    );
    const times = [...xml.matchAll(/<(testsuites?|testcase) .*?time="([^"]*)"/g)];
    expect(times.map(([, element, seconds]) => `${element} ${seconds}`)).toEqual([
      'testsuites 2.003',
      'testsuite 2.003',
      'testcase 0.003',
      'testcase 2.000',
      'testsuite 0.000',
      'testcase 0.000',
    ]);
  });
});
