import { beforeAll, describe, expect, test } from 'vitest';

import {
  renderAnnotations,
  renderHtml,
  renderJson,
  renderJunit,
  renderMarkdown,
  renderTerminal,
} from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';

import { pick, scenarioResults } from '../scenario-results.ts';
import type { ScenarioResult } from '../scenario-results.ts';

const KEY = 'key-of-the-canary-0123456789';
const bytes = Buffer.from(KEY);

/** Every piece of the key that would give it away, in the forms in which the target sent it back. */
const TRACES = [
  KEY,
  KEY.slice(0, 12),
  KEY.slice(-12),
  bytes.toString('base64').slice(4, 20),
  Buffer.from(`user:${KEY}`).toString('base64').slice(12, 28),
  Buffer.from(`x${KEY}y`).toString('base64url').slice(8, 24),
  bytes.toString('hex').slice(4, 28),
  '%6b%65%79',
];

const RENDERERS: [name: string, render: (report: Report) => string][] = [
  ['JSON', renderJson],
  ['terminal', (report) => renderTerminal(report, { color: true })],
  ['HTML', renderHtml],
  ['JUnit', renderJunit],
  ['Markdown', renderMarkdown],
  ['annotations', renderAnnotations],
];

let results: Record<string, ScenarioResult> = {};

beforeAll(async () => {
  results = await scenarioResults();
});

describe.each(RENDERERS)('the %s report', (_name, render) => {
  test('shows the variable instead of a key that the target echoed', () => {
    const output = render(pick(results, 'secrets').report).toLowerCase();
    expect(output.includes('$hookproof_key')).toBe(true);
    expect(TRACES.filter((trace) => output.includes(trace.toLowerCase()))).toEqual([]);
  });

  test('shows no secret of a receiver, a query or the control interface', () => {
    const output = ['receiving', 'controlReadOnly', 'controlRefused', 'worldOfAnother']
      .map((scenario) => render(pick(results, scenario).report))
      .join('');
    const secrets = [
      'whsec_0123456789abcdef',
      '0123456789abcdef',
      'query-token-0123',
      'token-of-the-control',
      'key-of-a-reviewer-01',
      'key-of-my-own-012',
    ];
    expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
  });
});

test('the target of this test echoes the key in every form', () => {
  const sent = JSON.stringify({
    raw: KEY,
    base64: bytes.toString('base64'),
    basic: Buffer.from(`user:${KEY}`).toString('base64'),
    shifted: Buffer.from(`x${KEY}y`).toString('base64url'),
    hex: bytes.toString('hex'),
    percent: bytes.toString('hex').replace(/../g, '%$&'),
  });
  expect(TRACES.filter((trace) => !sent.includes(trace))).toEqual([]);
});
