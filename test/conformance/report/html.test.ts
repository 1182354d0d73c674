import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';

import { renderHtml } from '@hookproof/conformance';

import { sampleCheck, sampleRed, sampleReport } from './sample-report.ts';

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
      sampleCheck({ verdict: 'could-not-run', message: text, remedies: [text] }),
    ]);
    const hostile = {
      ...report,
      headline: `violated: ${text}`,
      suiteErrors: [text],
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

  test('shows the side with failures first and links to each of them', () => {
    const page = renderHtml(
      sampleReport([
        sampleCheck({ id: 'api.pass' }),
        { ...sampleRed('red'), id: 'sender.red', side: 'sender' },
      ]),
    );
    const sections = [...page.matchAll(/<section class="checks">\s*<h2>([^<]*)/g)];
    expect(sections.map(([, title]) => title)).toEqual(['Webhook sender', 'API']);
    expect(page).toContain('<a href="#sender.red">red</a>');
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
