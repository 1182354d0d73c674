import { expect, test } from 'vitest';

import { renderShields } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';

import { sampleReport } from './sample-report.ts';

const COUNTS = sampleReport([]).counts;

const CASES: [text: string, report: Report][] = [
  ['conformant, 12 passed', sampleReport([], { counts: { ...COUNTS, pass: 12 } })],
  ['1 check failed', sampleReport([], { outcome: 'violated', counts: { ...COUNTS, fail: 1 } })],
  ['no result', sampleReport([], { outcome: 'no-result' })],
  ['unreachable', sampleReport([], { unreachable: { url: 'http://x', message: 'refused' } })],
];

test.each(CASES)('the endpoint of the badge says "%s"', (text, report) => {
  expect(JSON.parse(renderShields(report))).toMatchObject({ message: text });
});

test('the endpoint of the badge names the host of the target', () => {
  const { target } = sampleReport([]);
  const receiver = { ...target, baseUrl: null, receiverUrl: 'https://app.example:8443/hook' };
  const labels = [target, receiver].map(
    (one): unknown => JSON.parse(renderShields(sampleReport([], { target: one }))).label,
  );
  expect(labels).toEqual(['hookproof api.example', 'hookproof app.example:8443']);
});
