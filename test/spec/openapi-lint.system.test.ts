import { fileURLToPath } from 'node:url';
import { readFile } from 'node:fs/promises';
import { createConfig, lint, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const source = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url));
const config = createConfig({ extends: ['recommended'] });
// This rule takes most of the time, and none of the mistakes below is in an example.
const withoutExamples = createConfig({
  extends: ['recommended'],
  rules: { 'no-invalid-media-type-examples': 'off' },
});

// The union of both events is only for users of the schemas. Each webhook refers to one member. A whole run and the
// list of corrected files have no form in the contract, so `x-reference-schema` names ours.
const UNUSED = ['RunView', 'CorrectedFileList', 'RunEvent'].map(
  (name) => `warn no-unused-components Component: "${name}" is never used.`,
);

test.each([
  ['spec/openapi.yaml', UNUSED],
  // No file has the id `uploads`.
  [
    'server-reference/generated/bundled-openapi.json',
    [expect.stringMatching(/^warn no-ambiguous-paths/), UNUSED[2]],
  ],
  ['spec/control.yaml', []],
  ['spec/generated/control.json', []],
])('%s passes the recommended rules of a public linter', async (path, expected) => {
  const ref = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const problems = await lint({ ref, config: await config });
  expect(
    problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId} ${message}`),
  ).toEqual(expected);
});

test.each([
  ['an unresolved reference', 'parameters/Limit', 'parameters/Limits', 'no-unresolved-refs'],
  ['an unknown type', 'type: boolean', 'type: bool', 'struct'],
  [
    'an operation id used twice',
    'operationId: getRunApp',
    'operationId: getRun',
    'operation-operationId-unique',
  ],
])('the linter detects %s', async (_what, right, wrong, ruleId) => {
  const text = await readFile(source, 'utf8');
  expect(text).toContain(right);
  const problems = await lintFromString({
    source: text.replace(right, wrong),
    absoluteRef: source,
    config: await withoutExamples,
  });
  const errors = problems.filter(({ severity }) => severity === 'error');
  expect(errors.map((problem) => problem.ruleId)).toContain(ruleId);
});

test.each(['openapi', 'control'])('%s.yaml needs no merge keys of YAML 1.1', async (name) => {
  const file = new URL(`../../spec/${name}.yaml`, import.meta.url);
  const document: unknown = parse(await readFile(file, 'utf8'), { version: '1.2' });
  expect(JSON.stringify(document)).not.toContain('"<<":');
});
