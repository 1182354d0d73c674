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

test('openapi.yaml passes the recommended rules of a public linter', async () => {
  const problems = await lint({ ref: source, config: await config });
  // The union of both events is only for users of the schemas. Each webhook refers to one member. A whole run and the
  // list of corrected files have no form in the contract, so `x-reference-schema` names ours.
  expect(
    problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId} ${message}`),
  ).toEqual([
    'warn no-unused-components Component: "RunView" is never used.',
    'warn no-unused-components Component: "CorrectedFileList" is never used.',
    'warn no-unused-components Component: "RunEvent" is never used.',
  ]);
});

test('the self-contained document of the server passes them too', async () => {
  const ref = fileURLToPath(import.meta.resolve('@hookproof/server-reference/openapi.json'));
  const problems = await lint({ ref, config: await config });
  // No file has the id `uploads`. The union of both events is as above.
  expect(problems.map(({ severity, ruleId }) => `${severity} ${ruleId}`)).toEqual([
    'warn no-ambiguous-paths',
    'warn no-unused-components',
  ]);
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
