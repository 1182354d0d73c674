import { describe, expect, test } from 'vitest';

import { renderTerminal } from '@hookproof/conformance';

import { sampleCheck, sampleRed, sampleReport } from './sample-report.ts';

describe('the terminal report', () => {
  test('shows failures in full, counts the rest, names remedies, and ends with the outcome', () => {
    const report = sampleReport(
      [
        sampleCheck(),
        sampleRed('seen'),
        sampleCheck({
          id: 'api.lacking',
          verdict: 'could-not-run',
          message: 'no key',
          remedy: '--key "$HOOKPROOF_KEY"',
        }),
        sampleCheck({ id: 'sender.odd', side: 'sender', verdict: 'inconclusive', message: 'slow' }),
      ],
      { outcome: 'violated', exitCode: 1, headline: 'violated: 1 check failed' },
    );
    expect(renderTerminal(report)).toBe(`@hookproof/conformance 0.1.0  https://api.example

api  1 fail · 1 could not run · 1 pass

  ✗ fail  api.sample.red
    title         seen
    message       seen
    requirement   sample.rule (must; seen)
    rule          seen
    expected      seen
    actual        seen
    suite sent    GET seen
                  seen: seen

                  seen
    response      200
                  seen: seen

                  seen
    curl          seen
    rerun         seen
    confirmed     2 times

sender  1 inconclusive

  ? inconclusive  sender.odd
    title         does what it should
    reason        slow

To run more checks, add
  --key "$HOOKPROOF_KEY"
    no key: api.lacking

9 requests, 0 writes, 0 body bytes sent, 1.2 s
violated: 1 check failed  exit 1
`);
  });

  test('is plain without color and colored with it', () => {
    const report = sampleReport([sampleCheck()]);
    expect(renderTerminal(report)).not.toContain('\u001b');
    expect(renderTerminal(report, { color: true })).toContain('\u001b[32m1 pass\u001b[39m');
  });

  test('shows control characters of a target as text', () => {
    const text = renderTerminal(sampleReport([sampleRed('a\u001b[2Jb\rc\u0007\u202ed')]));
    expect(text).toContain('a\\u001b[2Jb\\u000dc\\u0007\\u202ed');
    expect(['\u001b', '\r', '\u0007', '\u202e'].filter((sign) => text.includes(sign))).toEqual([]);
  });

  test('clips long exchanges', () => {
    const text = renderTerminal(sampleReport([sampleRed('x'.repeat(9_000))]));
    expect(text).toContain('… (more in the JSON and HTML reports)');
  });

  test('has the singular for a single request, write, delivery and byte', () => {
    const wire = { requests: 1, writes: 1, deliveries: 1, controlRequests: 0, bytesSent: 1 };
    expect(renderTerminal(sampleReport([], { wire }))).toContain(
      '\n1 request, 1 write, 1 delivery, 1 body byte sent, 1.2 s\n',
    );
  });

  test('shows only the message when the target is unreachable', () => {
    const text = renderTerminal(
      sampleReport([sampleCheck({ verdict: 'could-not-run', remedy: 'x' })], {
        unreachable: { url: 'https://api.example', message: 'no response: refused' },
        headline: 'unreachable: no usable response from https://api.example',
        exitCode: 4,
      }),
    );
    expect(text).toBe(`@hookproof/conformance 0.1.0  https://api.example

no response: refused

9 requests, 0 writes, 0 body bytes sent, 1.2 s
unreachable: no usable response from https://api.example  exit 4
`);
  });
});
