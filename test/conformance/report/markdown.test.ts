import { marked } from 'marked';
import { describe, expect, test } from 'vitest';

import { renderMarkdown } from '@hookproof/conformance';

import { sampleCheck, sampleRed, sampleReport } from './sample-report.ts';

const HOSTILE =
  '| a | b\n```\n# h\n<script>x</script> <b>y</b> `c` ``d`` **e** [f](http://g) @h <!-- \\| </details>';

/** The page as a Markdown parser with tables renders it. */
function page(markdown: string): string {
  const html = marked.parse(markdown, { gfm: true, async: false });
  return html;
}

describe('the Markdown report', () => {
  const hostile = [
    sampleRed(HOSTILE),
    sampleCheck({ id: 'api.sample.open', verdict: 'inconclusive', message: HOSTILE }),
    sampleCheck({ id: 'api.sample.none', verdict: 'could-not-run', remedies: [{ text: HOSTILE }] }),
  ];
  const html = page(
    renderMarkdown(
      sampleReport(hostile, { headline: HOSTILE, suiteErrors: [HOSTILE], leftBehind: [HOSTILE] }),
    ),
  );

  test('lets no markup of a target come to life', () => {
    const tags = [...html.matchAll(/<\/?([a-z0-9]+)/g)].map(([, name = '']) => name);
    const ours = 'h2 h3 p code pre ul li strong details summary table thead tbody tr th td';
    expect([...new Set(tags)].filter((name) => !ours.split(' ').includes(name))).toEqual([]);
    expect(html).toContain('&lt;script&gt;x&lt;/script&gt;');
    expect(html.match(/<details>/g)).toHaveLength(1);
    expect(html.match(/<\/details>/g)).toHaveLength(1);
  });

  test('keeps the columns of its tables', () => {
    const rows = [...html.matchAll(/<tr>(.*?)<\/tr>/gs)].map(
      ([, row = '']) => row.match(/<t[hd]/g)?.length,
    );
    expect(rows).toEqual([4, 4, 3, 3]);
  });

  test('shows the text of a target as it was sent', () => {
    expect(html).toContain('<code>| a | b ``` # h &lt;script&gt;');
    expect(html).toContain('\n```\n# h\n');
  });

  test('groups failures by requirement', () => {
    const red = sampleRed('x');
    const checks = [red, { ...red, id: 'api.b' }, { ...red, requirement: 'other.rule' }];
    const markdown = renderMarkdown(sampleReport(checks));
    expect(markdown).toContain('### Violated: 2 requirements, 3 checks');
    expect(markdown.match(/^\*\*.*\*\*/gm)).toEqual([
      String.raw`**sample.rule**`,
      String.raw`**other.rule**`,
    ]);
  });

  test('stays below the megabyte of a CI summary, and says what it leaves out', () => {
    const red = sampleRed('x'.repeat(4_000));
    const checks = Array.from({ length: 400 }, (_, index) => ({
      ...red,
      id: `api.c${index}`,
      requirement: `rule.c${index}`,
    }));
    const markdown = renderMarkdown(sampleReport(checks));
    expect(Buffer.byteLength(markdown)).toBeLessThan(1_048_576);
    expect(markdown).toMatch(/^\d+ checks more in the JSON report\.$/m);
  });
});
