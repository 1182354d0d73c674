import { renderHtml, renderJunit, renderMarkdown, renderTerminal } from '@hookproof/conformance';
import { RECEIVER_FIXES } from '@hookproof/spec/control';
import { describe, expect, test } from 'vitest';

import { idsWith, judgeReceiver } from './judge-receiver.ts';

const REPORTING = 'receiver.signature.valid';

describe('a receiver that refuses every valid delivery', () => {
  test.each([
    ['another-path', 'The receiver URL leads to no route for POST.'],
    ['another-secret', /^The receiver has another secret, or .* none of these is the cause\.$/],
    [
      'base64-digest',
      /^The receiver expects the digest in Base64, with the Base64 decoding of the text after whsec_ as the key, as libraries such as standardwebhooks/,
    ],
    ['id-not-signed', /^The receiver verifies <timestamp>\.<body>, as another platform signs it/],
    ['body-object', /^The receiver verifies the text "\[object Object\]"/],
    [
      'body-of-json-dumps',
      /^The receiver verifies .* serializing it with blanks .* json\.dumps\.$/,
    ],
    ['body-indented-by-2', /serializing it with an indentation of 2/],
    ['body-indented-by-4', /serializing it with an indentation of 4/],
    ['body-sorted', /serializing it with sorted members/],
    ['body-with-newline', /serializing it with a newline at its end/],
  ])('because of %s has one failure with this cause', async (name, cause) => {
    const report = await judgeReceiver(name);
    expect(idsWith(report, 'fail')).toEqual([REPORTING]);
    expect(idsWith(report, 'pass', 'advice', 'inconclusive')).toEqual([]);
    const failure = report.checks.find(({ id }) => id === REPORTING);
    expect(failure?.violation?.diagnosis.cause).toMatch(cause);
  });

  test.each([
    ['own-with-another-secret', 'signature_mismatch'],
    ['own-behind-a-parser', 'body_already_read'],
  ])('%s has the fix of the code that it responds with', async (name, code) => {
    const report = await judgeReceiver(name, { observed: false });
    expect(idsWith(report, 'fail')).toEqual([REPORTING]);
    const failure = report.checks.find(({ id }) => id === REPORTING);
    expect(failure?.violation?.diagnosis.cause).toContain(` ${code}`);
    expect(failure?.violation?.diagnosis.fix).toBe(RECEIVER_FIXES.get(code));
  });

  test('above a size is no maximum size because a connection was lost once', async () => {
    const only = ['receiver.event.sizes'];
    const report = await judgeReceiver('refuses-large', { observed: false, only });
    expect(report.checks.map(({ verdict, message }) => [verdict, message])).toEqual([
      ['fail', 'an output of 8 KiB: expected a 2xx, got status 400'],
    ]);
  });

  test('because it is not started is one sentence', async () => {
    const report = await judgeReceiver('own-not-started', { observed: false });
    expect(report.exitCode).toBe(4);
    const printed = renderTerminal(report).replaceAll(/\s+/g, ' ');
    expect(printed).toContain(`responds 503 not_started. ${RECEIVER_FIXES.get('not_started')}`);
  });

  test('because it takes other bytes as the key is not accused', async () => {
    const report = await judgeReceiver('base64-key');
    expect(idsWith(report, 'could-not-run')).toHaveLength(report.checks.length);
    expect(
      new Set(report.checks.flatMap(({ remedies = [] }) => remedies.map(({ text }) => text))),
    ).toEqual(new Set(['--secret-encoding base64']));
    expect(report.exitCode).toBe(3);
  });

  test.each([
    ['base64-digest', /Base64/],
    ['body-indented-by-4', /with\s+an\s+indentation\s+of\s+4/],
  ])('because of %s has this cause in every report', async (name, cause) => {
    const report = await judgeReceiver(name, { observed: false });
    const reports = [
      renderTerminal(report),
      renderTerminal(report, { verbose: true }),
      renderHtml(report),
      renderMarkdown(report),
      renderJunit(report),
    ];
    for (const text of reports) {
      expect(text).toContain('status 401 for every one');
      expect(text).toMatch(cause);
      expect(text).not.toContain('none of these');
    }
  });
});

describe('a receiver that accepts every forged delivery', () => {
  const FORGED = 'receiver.signature.digest-wrong';

  test('has one failure', async () => {
    const report = await judgeReceiver('accepts-all', { observed: false });
    expect(idsWith(report, 'fail', 'advice')).toEqual([FORGED]);
    const failure = report.checks.find(({ id }) => id === FORGED);
    expect(failure?.violation?.diagnosis.cause).toMatch(/^The receiver verifies no signature/);
    const others = report.checks.filter(({ verdict }) => verdict === 'could-not-run');
    expect(others.length).toBeGreaterThan(10);
    expect(new Set(others.map(({ message }) => message))).toEqual(
      new Set([`the receiver accepts every forged delivery: see ${FORGED}`]),
    );
  });

  test('but no old ones is judged by its timestamps', async () => {
    const report = await judgeReceiver('timestamps-only', { observed: false });
    expect(idsWith(report, 'fail')).toContain(FORGED);
    expect(idsWith(report, 'pass')).toContain('receiver.signature.timestamp-stale');
  });
});
