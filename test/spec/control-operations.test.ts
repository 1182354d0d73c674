import { listControlOperations, loadControl } from '@hookproof/spec/control';
import { loadOpenApi } from '@hookproof/spec/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';

const document = loadControl();
const contract = loadOpenApi();
const operations = listControlOperations(document);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'control', false, false);
const withBody = operations.filter(({ requestBody }) => requestBody !== undefined);

test('every operation requires the control token and has a unique id', () => {
  expect(document.security).toEqual([{ controlToken: [] }]);
  expect(document.components.securitySchemes['controlToken']).toMatchObject({
    type: 'http',
    scheme: 'bearer',
  });
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(operations)(
  '$operationId documents one success, and its errors in the one envelope with their codes',
  ({ path, requestBody, responses }) => {
    const statuses = Object.keys(responses);
    expect(statuses.filter((status) => status.startsWith('2'))).toHaveLength(1);
    const errors = statuses.filter((status) => !status.startsWith('2'));
    const expected = ['400', '401', '403', '500'];
    if (path.includes('{')) expected.push('404');
    if (requestBody !== undefined) expected.push('413');
    expect(errors).toEqual(expect.arrayContaining(expected));
    for (const status of errors) {
      expect(responses[status]?.content?.['application/json']?.schema).toEqual({
        $ref: '#/components/schemas/ErrorEnvelope',
      });
      expect(responses[status]?.['x-codes']).not.toEqual([]);
      expect(responses[status]?.headers['x-request-id']?.required).toBe(true);
    }
  },
);

test.each(operations)('a path parameter of $operationId is in its path', ({ path, parameters }) => {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  expect(parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(inPath);
});

test.each(withBody)(
  'the body of $operationId is a closed object, and its example is valid',
  (one) => {
    const { schema, example } = one.requestBody?.content['application/json'] ?? {};
    const validate = ajv.compile({ $ref: `control${schema?.$ref}` });
    expect(example).toBeDefined();
    validate(example);
    expect(validate.errors).toBeNull();
    expect(validate({ ...(example as object), unknownField: 1 })).toBe(false);
  },
);

test('the schemas that control.yaml uses from openapi.yaml are unchanged', () => {
  const shared = ['ErrorEnvelope', 'Issue', 'RunSnapshot', 'RunStatus', 'AutomationType'];
  const same = Object.entries(document.components.schemas).filter(
    ([name]) => name in contract.components.schemas,
  );
  expect(same.map(([name]) => name).toSorted()).toEqual(shared.toSorted());
  for (const [name, schema] of same) expect(schema).toEqual(contract.components.schemas[name]);
});

test('control.json is self-contained', () => {
  expect(JSON.stringify(document)).not.toContain('openapi.yaml#');
});
