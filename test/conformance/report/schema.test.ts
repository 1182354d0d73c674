import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';

import { renderJson } from '@hookproof/conformance';

import { pick, scenarioResults } from '../scenario-results.ts';
import type { ScenarioResult } from '../scenario-results.ts';
import { sampleCheck, sampleRed, sampleReport } from './sample-report.ts';

const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
formats.default(ajv);
const schema: object = JSON.parse(
  readFileSync(new URL('../../../conformance/report.schema.json', import.meta.url), 'utf8'),
);
const validate = ajv.compile(schema);

function faults(value: unknown): string[] {
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('the published schema', () => {
  let results: Record<string, ScenarioResult> = {};

  beforeAll(async () => {
    results = await scenarioResults();
  });

  test.each([
    'passing',
    'weights',
    'flaky',
    'throwing',
    'missing',
    'notApplicable',
    'noChecks',
    'locked',
    'closedPort',
    'brokenDiscovery',
    'rejection',
    'secrets',
    'controlReadOnly',
    'receiving',
  ])('holds for the report of %s', (name) => {
    const { report } = pick(results, name);
    expect(faults(JSON.parse(renderJson(report)))).toEqual([]);
  });

  test('matches the sample reports of these tests', () => {
    expect(faults(sampleReport([sampleCheck(), sampleRed('x')]))).toEqual([]);
  });

  test('holds for a failure that nothing could confirm', () => {
    const { violation, ...red } = sampleRed('x');
    const once = { ...red, violation: { ...violation, confirmed: 1 } };
    expect(faults({ ...sampleReport([]), checks: [once] })).toEqual([]);
  });

  test.each([
    ['an unknown member', { extra: 1 }, ' must NOT have additional properties'],
    [
      'an unknown outcome',
      { outcome: 'fine' },
      '/outcome must be equal to one of the allowed values',
    ],
    ['exit code 2', { exitCode: 2 }, '/exitCode must be equal to one of the allowed values'],
    ['a date that is none', { startedAt: 'today' }, '/startedAt must match format "date-time"'],
  ])('refuses %s', (_, change, fault) => {
    expect(faults({ ...sampleReport([]), ...change })).toContain(fault);
  });

  test.each([
    [
      'a red without its violation',
      sampleCheck({ verdict: 'fail' }),
      "/checks/0 must have required property 'violation'",
    ],
    [
      'a pass with a violation',
      { ...sampleRed('x'), verdict: 'pass' },
      '/checks/0 must NOT be valid',
    ],
    [
      'a missing remedy',
      sampleCheck({ verdict: 'could-not-run' }),
      "/checks/0 must have required property 'remedies'",
    ],
  ])('refuses %s', (_, check, fault) => {
    expect(faults({ ...sampleReport([]), checks: [check] })).toContain(fault);
  });
});
