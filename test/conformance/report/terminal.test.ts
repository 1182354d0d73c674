import { expect, test } from 'vitest';

import { renderTerminal } from '@hookproof/conformance';

import { sampleCheck, sampleRed, sampleReport } from './sample-report.ts';

// The files in `rendered/` show the form of this report.

test('the terminal report names the fixtures file that the run wrote, and not how to write it', () => {
  const need = { text: '--fixtures FILE with a', need: 'a', inFixtures: true } as const;
  const lacking = sampleCheck({ id: 'api.1', verdict: 'could-not-run', remedies: [need] });
  const text = renderTerminal(sampleReport([lacking]), { fixturesFile: 'fixtures.yaml' });
  expect(text).toContain('  add --fixtures fixtures.yaml (api.1)\n    with a (1)\n');
  expect(text).not.toContain('--init-fixtures');
});

test('the terminal report shows the failures of one requirement together', () => {
  const red = sampleRed('red');
  const reds = [
    { ...red, id: 'api.a', requirement: 'one' },
    { ...red, id: 'api.b', requirement: 'two' },
    { ...red, id: 'api.c', requirement: 'one' },
  ];
  const text = renderTerminal(sampleReport(reds), { verbose: true });
  expect(text.match(/api\.[abc]$/gm)).toEqual(['api.a', 'api.c', 'api.b']);
});

test('the terminal report breaks no line without a width', () => {
  const long = 'one word after another '.repeat(8).trim();
  expect(renderTerminal(sampleReport([sampleRed(long)]))).toContain(`expected  ${long}\n`);
});

test('the terminal report shows control characters of a target as text', () => {
  const text = renderTerminal(sampleReport([sampleRed('a\u001b[2Jb\rc\u0007\u202ed')]));
  expect(text).toContain('a\\u001b[2Jb\\u000dc\\u0007\\u202ed');
  expect(['\u001b', '\r', '\u0007', '\u202e'].filter((sign) => text.includes(sign))).toEqual([]);
});

test('the terminal report clips long exchanges', () => {
  const report = sampleReport([sampleRed('x'.repeat(9_000))]);
  expect(renderTerminal(report).length).toBeLessThan(20_000);
  const text = renderTerminal(report, { verbose: true });
  expect(text).toContain('… (more in the JSON and HTML reports)');
});
