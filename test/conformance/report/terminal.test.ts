import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';

import { renderHtml, renderTerminal } from '@hookproof/conformance';
import type { CheckReport, HttpExchange, Remedy } from '@hookproof/conformance';

import { sampleCheck, sampleRed, sampleReport } from './sample-report.ts';

/** A successful request with a limit. */
const exchangeOf = (limit: string, body: string): HttpExchange => ({
  sentBy: 'suite',
  request: {
    method: 'GET',
    url: `https://api.example/v1/x?limit=${limit}`,
    headers: [['accept', '*/*']],
    body: null,
  },
  response: { status: 200, headers: [['Date', limit]], body },
});

function fixture(need: string): Remedy {
  return { text: `--fixtures FILE with ${need}`, need, inFixtures: true };
}

function lacking(id: string, remedies: readonly Remedy[], message = 'no such thing'): CheckReport {
  return sampleCheck({ id, verdict: 'could-not-run', message, remedies });
}

function redOf(id: string, requirement: string): CheckReport {
  return { ...sampleRed('red'), id, requirement };
}

describe('the terminal report', () => {
  test('names remedies, counts the checks, shows each failure in five lines, and ends with the outcome', () => {
    const report = sampleReport(
      [
        sampleCheck(),
        sampleRed('seen'),
        sampleCheck({
          id: 'api.lacking',
          verdict: 'could-not-run',
          message: 'no key',
          remedies: [{ text: '--key "$HOOKPROOF_KEY"' }],
        }),
        sampleCheck({ id: 'sender.odd', side: 'sender', verdict: 'inconclusive', message: 'slow' }),
      ],
      { outcome: 'violated', exitCode: 1, headline: 'violated: 1 check failed' },
    );
    expect(renderTerminal(report)).toBe(`@hookproof/conformance 0.1.0  API https://api.example

To run more checks
  add --key "$HOOKPROOF_KEY" (api.lacking)
    no key

api  1 fail · 1 could not run · 1 pass
  1 requirement, 1 check

  ✗ fail  seen
    expected  seen
    actual    seen
    fix       seen
    rerun     seen

sender  1 inconclusive

  ? inconclusive  sender.odd  does what it should
    reason    slow

Rule, cause, requests and how to reproduce each: --verbose, or --report html=report.html

9 requests, 0 writes, 0 B sent, 1.2 s
violated: 1 check failed  exit 1
`);
  });

  test('is verbose on demand, with the attempts that a failure speaks of', () => {
    const red = sampleRed('seen');
    const violation = red.violation ?? expect.fail('a red has a violation');
    const attempts = [
      { seconds: 0, webhookTimestamp: '1800000000', response: '204' },
      { seconds: 31.2, webhookTimestamp: null, response: '204' },
    ];
    const report = sampleReport([{ ...red, violation: { ...violation, attempts } }]);
    expect(renderTerminal(report)).toContain('actual    seen (204 at 0 s, 204 at 31.2 s)\n');
    expect(renderTerminal(report, { verbose: true })).toContain(`  ✗ fail  api.sample.red
    title         seen
    message       seen
    requirement   sample.rule (must; seen)
    rule          seen
    expected      seen
    actual        seen
    likely cause  seen
    fix           seen
    attempts      1. after 0 s, webhook-timestamp 1800000000: 204
                  2. after 31.2 s, webhook-timestamp missing: 204
    suite sent    GET seen
                  seen: seen

                  seen
    response      200
                  seen: seen

                  seen
    reproduce     seen
    rerun         seen
    confirmed     2 times
`);
  });

  test('tells attempts by the clock of a sender whose clock is virtual', () => {
    const red = sampleRed('red');
    const violation = red.violation ?? expect.fail('a red has a violation');
    const attempts = [100, 160, 460, 1060, 2000].map((at) => {
      return { seconds: 0, webhookTimestamp: String(at), response: '204' };
    });
    const report = sampleReport([{ ...red, violation: { ...violation, attempts } }]);
    expect(renderTerminal(report)).toContain(
      'actual    red (204 at 0 s, 204 at 60 s, 204 at 360 s, 204 at 960 s and 1 more of the virtual clock)\n',
    );
  });

  test('failures of one requirement have one block, whatever their values', () => {
    const red = sampleRed('seen');
    const reds = [
      { ...red, id: 'api.one', title: 'one' },
      { ...sampleRed('another value'), id: 'api.two', title: 'two' },
      { ...red, id: 'api.three', title: 'three' },
    ];
    expect(renderTerminal(sampleReport(reds))).toContain(`  ✗ fail  one
    expected  seen
    actual    seen
    fix       seen
    also      2 more: two, three
    rerun     seen
`);
  });

  test('names the failures that checks wait for in one line', () => {
    const report = sampleReport([
      lacking('api.1', [{ text: 'make api.a pass', check: 'api.a' }]),
      lacking('api.2', [{ text: 'make api.b pass', check: 'api.b' }]),
    ]);
    expect(renderTerminal(report)).toContain(`To run more checks
  fix the failures that these checks refer to (api.1, api.2)
    api.a, api.b
`);
  });

  test('names a reason once for all checks that have it', () => {
    const odd = { verdict: 'inconclusive', message: 'slow' } as const;
    const checks = ['api.a', 'api.b'].map((id) => sampleCheck({ id, ...odd }));
    const text = renderTerminal(sampleReport(checks));
    expect(text.match(/reason/g)).toHaveLength(1);
  });

  test('failures come before advice', () => {
    const report = sampleReport([
      redOf('api.violated', 'one.rule'),
      { ...redOf('api.advised', 'two.rule'), verdict: 'advice' },
      sampleCheck({ id: 'api.odd', verdict: 'inconclusive', message: 'slow' }),
    ]);
    const order = renderTerminal(report, { verbose: true }).match(/(?<=^ {2}\S .* )api\.\w+/gm);
    expect(order).toEqual(['api.odd', 'api.violated', 'api.advised']);
  });

  test('one line for all keys and ids of a file, most useful first, and none for a check that lacks more', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const text = renderTerminal(
      sampleReport([
        lacking(
          'api.1',
          [fixture('a'), { text: '--key KEY with a valid key' }],
          'no a; refused with 401',
        ),
        lacking(
          'api.2',
          [{ text: '--key KEY with a valid key' }],
          'the API refused the key with 401',
        ),
        lacking('api.3', [fixture('keys.ocr'), fixture('b')]),
        lacking('api.4', names.map(fixture)),
        lacking('api.5', [fixture('b')]),
      ]),
    );
    expect(text).toContain(`To run more checks
  add --fixtures FILE (3 checks)
    with b (3), keys.ocr (1), a (1), c (1), d (1), e (1) and 2 more
    the environment can have the keys: HOOKPROOF_KEY_OCR
    --init-fixtures fixtures.yaml writes this file with what the run found; fill in the rest
  add --key KEY with a valid key (api.1, api.2)
    the API refused the key with 401
`);
  });

  test('names the fixtures file that the run wrote, and not how to write it', () => {
    const report = sampleReport([lacking('api.1', [fixture('a')])]);
    const text = renderTerminal(report, { fixturesFile: 'fixtures.yaml' });
    expect(text).toContain('  add --fixtures fixtures.yaml (api.1)\n    with a (1)\n');
    expect(text).not.toContain('--init-fixtures');
  });

  test('breaks sentences between words, JSON anywhere, and neither commands nor a URL', () => {
    const red = sampleRed('red');
    const violation = red.violation ?? expect.fail('a red has a violation');
    const long = 'one word after another '.repeat(8).trim();
    const url = `https://api.example/${'x'.repeat(90)}`;
    const { exchange } = violation;
    const request = {
      ...(exchange?.request ?? expect.fail('no exchange')),
      body: JSON.stringify({ a: 'b'.repeat(99) }),
    };
    const shown = {
      ...violation,
      expected: long,
      actual: `no response from ${url} within ten seconds`,
      exchange: { ...(exchange ?? expect.fail('no exchange')), request },
      reproduce: { note: null, commands: [`curl ${long}`] },
    };
    const open = sampleCheck({ verdict: 'inconclusive', id: 'sender.odd', title: long });
    const report = sampleReport([{ ...red, violation: shown }, open], { headline: long });
    for (const color of [false, true]) {
      const options = { columns: 60, color, verbose: true };
      const lines = stripVTControlCharacters(renderTerminal(report, options)).split('\n');
      const wide = lines.filter((line) => line.length > 60).map((line) => line.trim());
      expect(wide).toEqual([url, `reproduce     curl ${long}`]);
      const json = lines.findIndex((line) => line.includes('{"a":"'));
      expect(lines.slice(json + 1, json + 3).join()).toMatch(/^ {18}b+, {18}b+"}$/);
      const at = lines.findIndex((line) => line.startsWith('    expected'));
      expect(lines.slice(at, at + 3)).toEqual([
        '    expected      one word after another one word after',
        '                  another one word after another one word',
        '                  after another one word after another one',
      ]);
      expect(lines.at(-2)).toMatch(/^ {2}.* {2}exit 0$/);
    }
    expect(renderTerminal(report)).toContain(`expected  ${long}\n`);
  });

  test('JSON is broken after a comma, and the hint between words', () => {
    const red = sampleRed('red');
    const violated = red.violation ?? expect.fail('a red has a violation');
    const members = ['issues', 'requestId', 'receivedAt'].map((name) => `"${name}":"a1b2c3d4"`);
    const shown = { ...violated, actual: `{${members.join(',')}}` };
    const text = renderTerminal(sampleReport([{ ...red, violation: shown }]), { columns: 60 });
    expect(text).toContain(
      `    actual    {${members[0]},${members[1]},\n              ${members[2]}}\n`,
    );
    expect(text).toMatch(/ --verbose,\nor --report html=report\.html\n/);
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
    const report = sampleReport([sampleRed('x'.repeat(9_000))]);
    expect(renderTerminal(report).length).toBeLessThan(20_000);
    const text = renderTerminal(report, { verbose: true });
    expect(text).toContain('… (more in the JSON and HTML reports)');
  });

  test('has no blank line between sides that have a line each', () => {
    const text = renderTerminal(
      sampleReport([
        sampleCheck(),
        sampleCheck({ id: 'sender.sample', side: 'sender' }),
        sampleCheck({ id: 'receiver.sample', side: 'receiver' }),
      ]),
    );
    expect(text).toContain('\napi  1 pass\nsender  1 pass\nreceiver  1 pass\n');
  });

  test.each([
    [12_480, '12.5 kB sent'],
    [1_131_293, '1.1 MB sent'],
  ])('has the size of %i bytes in the largest unit', (bytesSent, text) => {
    const wire = { ...sampleReport([]).wire, bytesSent };
    expect(renderTerminal(sampleReport([], { wire }))).toContain(text);
  });

  test('has the singular for a single request, write and delivery', () => {
    const wire = { requests: 1, writes: 1, deliveries: 1, controlRequests: 0, bytesSent: 1 };
    expect(renderTerminal(sampleReport([], { wire }))).toContain(
      '\n1 request, 1 write, 1 delivery, 1 B sent, 1.2 s\n',
    );
  });

  test('shows only the message when the target is unreachable', () => {
    const text = renderTerminal(
      sampleReport([sampleCheck({ verdict: 'could-not-run', remedies: [{ text: 'x' }] })], {
        unreachable: { url: 'https://api.example', message: 'no response: refused' },
        headline: 'unreachable: no usable response from https://api.example',
        exitCode: 4,
      }),
    );
    expect(text).toBe(`@hookproof/conformance 0.1.0  API https://api.example

no response: refused

9 requests, 0 writes, 0 B sent, 1.2 s
unreachable: no usable response from https://api.example  exit 4
`);
  });

  test('shows where a red differs from its control', () => {
    const red = sampleRed('red');
    const violation = red.violation ?? expect.fail('a red has a violation');
    const control = exchangeOf('100', '{"limit":100,"total":3}');
    const exchange = exchangeOf('101', '{"limit":101,"total":3}');
    const report = sampleReport([{ ...red, violation: { ...violation, control, exchange } }]);
    expect(renderTerminal(report, { verbose: true })).toContain(`    difference    - passed
                  + failed
                  - GET https://api.example/v1/x?limit=100
                  -   "limit": 100,
                  + GET https://api.example/v1/x?limit=101
                  +   "limit": 101,
`);
    const page = renderHtml(report);
    const marks = [...page.matchAll(/<mark>([^<]*)<\/mark>/g)].map(([, text]) => text);
    expect(marks).toEqual([
      'GET https://api.example/v1/x?limit=100',
      '  &quot;limit&quot;: 100,',
      'GET https://api.example/v1/x?limit=101',
      '  &quot;limit&quot;: 101,',
    ]);
  });

  test('counts the requirements and the checks of the reds', () => {
    const report = sampleReport([
      redOf('api.a', 'one.rule'),
      redOf('api.b', 'two.rule'),
      redOf('api.c', 'one.rule'),
    ]);
    expect(renderTerminal(report)).toContain('api  3 fail\n  2 requirements, 3 checks\n');
    const order = renderTerminal(report, { verbose: true }).match(/api\.[abc]$/gm);
    expect(order).toEqual(['api.a', 'api.c', 'api.b']);
  });
});
