import { describe, expect, test } from 'vitest';

import { renderBadge, renderShields } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';

import { sampleReport } from './sample-report.ts';

const COUNTS = sampleReport([]).counts;

const CASES: [text: string, report: Report][] = [
  ['conformant, 12 passed', sampleReport([], { counts: { ...COUNTS, pass: 12 } })],
  ['1 check failed', sampleReport([], { outcome: 'violated', counts: { ...COUNTS, fail: 1 } })],
  ['nothing established', sampleReport([], { outcome: 'nothing-established' })],
  ['unreachable', sampleReport([], { unreachable: { url: 'http://x', message: 'refused' } })],
];

describe.each(CASES)('the badge %s', (text, report) => {
  test('says so to eyes and to screen readers', () => {
    const svg = renderBadge(report);
    expect(svg).toContain(`aria-label="hookproof: ${text}"`);
    expect(svg).toContain(`<title>hookproof: ${text}</title>`);
    expect(svg).toContain(`>${text}</text>`);
    expect(svg).not.toMatch(/href|script|url\(/);
  });

  test('says the same as its endpoint', () => {
    expect(JSON.parse(renderShields(report))).toMatchObject({ message: text });
  });
});
