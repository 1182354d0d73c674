import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';

import { renderHtml } from '@hookproof/conformance';

import { sampleCheck, sampleRed, sampleReport } from './sample-report.ts';
import { FEW } from './shown-reports.ts';

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style><script>alert(1)</script>',
  '</pre></code></details>',
  '<!--',
  '&lt;script&gt;',
  '`${alert(1)}`',
  'javascript:alert(1)',
];

/** The tags of a page, without its own style and script and without text. */
function tags(page: string): string[] {
  const own = page.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '<$1>');
  return own.match(/<[^>]*>/g) ?? [];
}

describe('the HTML report', () => {
  test.each(HOSTILE)('has the same tags, whatever a target says: %s', (text) => {
    const report = sampleReport([
      sampleRed(text),
      sampleCheck({ verdict: 'could-not-run', message: text, remedies: [{ text }] }),
    ]);
    const hostile = {
      ...report,
      headline: `violated: ${text}`,
      suiteErrors: [text],
      leftBehind: [text],
      target: {
        ...report.target,
        baseUrl: text,
        identity: {
          tenantId: text,
          tenantSlug: text,
          userId: text,
          keyId: text,
          scope: [text],
          wildcardGranted: true,
        },
      },
      facts: [{ name: text, value: text, source: text }],
      unreachable: { url: text, message: text },
    };
    const harmless = JSON.parse(
      JSON.stringify(hostile).replaceAll(JSON.stringify(text).slice(1, -1), 'x'),
    );
    const page = renderHtml(hostile);
    expect(tags(page)).toEqual(tags(renderHtml(harmless)));
    expect(page).not.toContain('<script>alert');
    expect(page.match(/<script>/g)).toHaveLength(1);
  });

  test('escapes text of a target', () => {
    const page = renderHtml(sampleReport([sampleRed(`a<b & "c" 'd'\nnext\u0000\u001b[31m`)]));
    expect(page).toContain('a&lt;b &amp; &quot;c&quot; &#39;d&#39;\nnext␀␛[31m');
  });

  test('allows only its own style and script, by hash', () => {
    const page = renderHtml(sampleReport([sampleCheck()]));
    const hashOf = (tag: string): string => {
      const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? '';
      return `sha256-${createHash('sha256').update(text).digest('base64')}`;
    };
    expect(page).toContain(
      `content="default-src 'none'; style-src '${hashOf('style')}'; script-src '${hashOf('script')}'"`,
    );
    expect(page).not.toMatch(/<[^>]+\s(src|style|on\w+)=/);
    expect(page).not.toMatch(/@import|url\(/);
  });

  test('shows failures first and open, and the rest closed', () => {
    const page = renderHtml(
      sampleReport([
        sampleCheck({ id: 'api.pass' }),
        sampleCheck({ id: 'sender.pass', side: 'sender' }),
        sampleRed('red'),
      ]),
    );
    const rows = [...page.matchAll(/<details\s+class="check[^>]*>/g)].map(([tag]) => tag);
    const open = rows.map((tag) => [/id="([^"]*)"/.exec(tag)?.[1], /\sopen\s*>/.test(tag)]);
    expect(open).toEqual([
      ['api.sample.red', true],
      ['api.pass', false],
      ['sender.pass', false],
    ]);
  });

  test('folds what passed behind its count', () => {
    const page = renderHtml(
      sampleReport([
        sampleCheck({ id: 'api.a' }),
        sampleCheck({ id: 'api.b' }),
        sampleCheck({ id: 'api.c', verdict: 'not-applicable' }),
        sampleRed('red'),
      ]),
    );
    const [before = '', fold = ''] = page.split('<details class="quiet">');
    expect(before).toContain('id="api.sample.red"');
    expect(fold).toContain('<summary>2 pass, 1 not applicable</summary>');
    expect([...fold.matchAll(/id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
      'api.a',
      'api.b',
      'api.c',
    ]);
  });

  test('shows the side with failures first and links to each of them', () => {
    const page = renderHtml(
      sampleReport([
        sampleCheck({ id: 'api.pass' }),
        { ...sampleRed('red'), id: 'sender.red', side: 'sender' },
      ]),
    );
    const sections = [...page.matchAll(/<section class="checks">\s*<h2>([^<]*)/g)];
    expect(sections.map(([, title]) => title)).toEqual(['Webhook sender', 'API']);
    expect(page).toMatch(/<a href="#sender.red">red<\/a\s*>/);
  });

  test('has one card for each fix, with the checks that it makes pass', () => {
    const red = sampleRed('x');
    const other = { ...sampleRed('y'), id: 'api.c' };
    const page = renderHtml(sampleReport([red, { ...red, id: 'api.b' }, other]));
    const cards = page.split('class="callout bad"').slice(1);
    expect(page).toContain('<h2>3 checks failed, 2 things to fix</h2>');
    expect(cards.map((card) => [...card.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id))).toEqual(
      [['api.sample.red', 'api.b'], ['api.c']],
    );
  });

  test('folds the sixth failure of a cause and those after it', () => {
    const reds = Array.from({ length: 7 }, (_none, index) => ({
      ...sampleRed('x'),
      id: `api.${index}`,
    }));
    const [, card = ''] = renderHtml(sampleReport(reds)).split('class="callout bad"');
    const [shown = '', folded = ''] = card.split('<summary>2 more checks</summary>');
    expect(shown.match(/href="#api/g)).toHaveLength(5);
    expect(folded.match(/href="#api/g)).toHaveLength(2);
  });

  test('has one list of what did not run, by what is missing', () => {
    const lacking = {
      verdict: 'could-not-run',
      message: 'no app URL',
      remedies: [{ text: '--app-url URL' }],
    } as const;
    const locked = { verdict: 'locked', message: 'locked: add --allow-writes' } as const;
    const page = renderHtml(
      sampleReport([
        sampleCheck({ id: 'api.a', ...lacking }),
        sampleCheck({ id: 'api.b', ...lacking }),
        sampleCheck({ id: 'api.c', ...locked }),
      ]),
    );
    expect(page).toContain('<h2>3 checks did not run</h2>');
    expect(page.match(/add --app-url URL/g)).toHaveLength(1);
    expect(page.match(/<summary>\d checks?<\/summary>/g)).toEqual([
      '<summary>2 checks</summary>',
      '<summary>1 check</summary>',
    ]);
    expect(page).not.toContain('class="check');
  });

  test('shows the attempts that a failure speaks of', () => {
    const red = sampleRed('x');
    const violation = red.violation ?? expect.fail('a red has a violation');
    const attempt = { seconds: 3, webhookTimestamp: '1800000000', response: '204' };
    const shown = { ...violation, attempts: [attempt, attempt] };
    expect(renderHtml(sampleReport([{ ...red, violation: shown }]))).toContain(
      '2. after 3 s, webhook-timestamp 1800000000: 204',
    );
  });

  test('shows what the run could not put back', () => {
    expect(renderHtml(FEW)).toContain('<li>Automation a-1 has another name.</li>');
  });

  test('marks where a failure differs from its control', () => {
    const page = renderHtml(FEW);
    const marks = [...page.matchAll(/<mark>([^<]*)<\/mark>/g)].map(([, text]) => text);
    expect(marks).toEqual([
      'GET https://api.example.com/v1/runs?limit=100',
      '  &quot;limit&quot;: 100,',
      'GET https://api.example.com/v1/runs?limit=101',
      '  &quot;limit&quot;: 101,',
    ]);
  });

  test('shows the number of locked checks', () => {
    const locked = sampleCheck({
      verdict: 'locked',
      message: 'locked: add --allow-writes',
    });
    const headline = 'conformant, read-only: 1 check needs --allow-writes';
    const page = renderHtml(sampleReport([locked], { headline }));
    expect(page).toContain('<h1>conformant, read-only</h1>');
    expect(page).toContain('1 check needs --allow-writes');
    expect(page).toMatch(/<b>1<\/b>\s+locked/);
  });
});
