import { describe, expect, test } from 'vitest';

import { renderSarif } from '@hookproof/conformance';

import { sampleCheck, sampleRed, sampleReport } from './sample-report.ts';

const RED = sampleRed('text');

function withUrl(url: string): ReturnType<typeof sampleRed> {
  const { violation } = RED;
  if (violation?.exchange == null) throw new Error('the sample has an exchange');
  const { exchange } = violation;
  const headers: [string, string][] = [
    ['x-a', '1'],
    ['x-a', '2'],
  ];
  const request = { ...exchange.request, url, headers };
  return { ...RED, violation: { ...violation, exchange: { ...exchange, request } } };
}

function runOf(text: string): Record<string, never> {
  return JSON.parse(text).runs[0];
}

describe('a SARIF result', () => {
  const run = runOf(
    renderSarif(sampleReport([withUrl('https://api.example/v1/inbox?limit=1'), RED])),
  );

  test('is located by the path of its request, below the URL of the target', () => {
    expect(run).toMatchObject({
      originalUriBaseIds: { TARGET: { uri: 'https://api.example/' } },
      results: [
        { locations: [{ physicalLocation: { artifactLocation: { uri: 'v1/inbox' } } }] },
        {},
      ],
    });
  });

  test('has its exchange, with the values of a repeated header joined', () => {
    expect(run).toMatchObject({
      results: [
        {
          webRequest: {
            target: 'https://api.example/v1/inbox?limit=1',
            headers: { 'x-a': '1, 2' },
          },
          webResponse: { statusCode: 200 },
        },
        {},
      ],
    });
  });

  test('names its requirement, which is listed once', () => {
    expect(run).toMatchObject({
      tool: { driver: { rules: [{ id: 'sample.rule' }] } },
      results: [
        { ruleId: 'sample.rule', ruleIndex: 0 },
        { ruleId: 'sample.rule', ruleIndex: 0 },
      ],
    });
  });

  test('keeps its fingerprint when its message changes', () => {
    const other = runOf(renderSarif(sampleReport([sampleRed('other text')])));
    expect(other).toMatchObject({
      results: [{ partialFingerprints: { 'check/v1': 'api.sample.red' } }],
    });
  });
});

test.each([
  ['fail', 'error'],
  ['advice', 'warning'],
  ['info', 'note'],
] as const)('%s has the level %s', (verdict, level) => {
  expect(runOf(renderSarif(sampleReport([{ ...RED, verdict }])))).toMatchObject({
    results: [{ kind: 'fail', level }],
  });
});

test('a check without a result is a notification, with what it needs', () => {
  const missing = sampleCheck({
    verdict: 'could-not-run',
    message: 'no key',
    remedies: ['--key KEY'],
  });
  const run = runOf(renderSarif(sampleReport([missing], { suiteErrors: ['bug'], exitCode: 5 })));
  expect(run).toMatchObject({
    results: [],
    invocations: [
      {
        executionSuccessful: false,
        toolConfigurationNotifications: [
          { message: { text: 'no key. To run this check, add --key KEY' } },
        ],
        toolExecutionNotifications: [{ level: 'error', message: { text: 'bug' } }],
      },
    ],
  });
});
