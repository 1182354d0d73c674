import { listCompanions, listOperations, loadOpenApi } from '@hookproof/spec/openapi';
import { expect, test } from 'vitest';

import { loadServerDocument } from '../../server-reference/src/api/server-document.ts';

const ERRORS = ['400', '401', '403', '404', '413', '429', '500', '503'];

const document = loadOpenApi();
const operations = listOperations(document);

test('each operation has the server of its path', () => {
  for (const { path, address } of operations) {
    const servers = document.paths[path]?.servers?.map(({ url }) => url);
    expect([path, servers]).toEqual([
      path,
      path.startsWith('/api/v1/') ? ['{app_url}'] : ['{base_url}'],
    ]);
    expect(address).toBe(path.startsWith('/api/v1/') ? 'app' : 'base');
  }
  expect(document.servers.map(({ url }) => url)).toEqual(['{base_url}', '{app_url}']);
  expect(document.info.version).toBe('1.0.0');
});

test('each path parameter occurs in its path and each part of a path has its parameter', () => {
  for (const { path, parameters } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(inPath);
  }
});

test('every operation requires the API key, and the dataset review list names its scope', () => {
  expect(document.security).toEqual([{ apiKey: [] }]);
  expect(document.components.securitySchemes['apiKey']).toMatchObject({
    type: 'http',
    scheme: 'bearer',
  });
  const scopes = operations.map(({ operationId, scopes: named }) => [operationId, named]);
  expect(Object.fromEntries(scopes.filter(([, named]) => named?.length !== 0))).toEqual({
    listDatasetReviewRequests: ['dataset_review:read'],
  });
});

test('request bodies are JSON, and only the feedback copy must have one', () => {
  const bodies = operations.flatMap(({ operationId, requestBody }) =>
    requestBody === undefined ? [] : [{ operationId, ...requestBody }],
  );
  for (const { content } of bodies) expect(Object.keys(content)).toEqual(['application/json']);
  const required = bodies.filter((body) => body.required).map(({ operationId }) => operationId);
  expect(required).toEqual(['copyOutputToExpected', 'copyOutputToExpectedApp']);
});

test.each(operations.map((operation) => [operation.operationId, operation] as const))(
  '%s documents every error in the one envelope',
  (operationId, { method, responses }) => {
    const isInbox = operationId === 'listDatasetReviewRequests';
    const expected = [
      ...ERRORS,
      ...(method === 'GET' ? [] : ['409']),
      ...(isInbox ? [] : ['default']),
    ];
    const errors = Object.entries(responses).filter(([status]) => !/^[23]/.test(status));
    expect(errors.map(([status]) => status).toSorted()).toEqual(expected.toSorted());
    for (const [status, { content, headers }] of errors) {
      expect(Object.entries(content ?? {})).toMatchObject([
        ['application/json', { schema: { $ref: '#/components/schemas/ErrorEnvelope' } }],
      ]);
      expect(headers['x-request-id']).toMatchObject({ required: true, schema: { type: 'string' } });
      const retryAfter = status === '429' || status === '503';
      expect(headers['Retry-After']?.required).toBe(retryAfter ? true : undefined);
    }
  },
);

test('open points are marked with x-freedom', () => {
  for (const { parameters, responses } of operations) {
    for (const one of parameters) if (one['x-reference']) expect(one['x-freedom']).toMatch(/name/);
    for (const [status, one] of Object.entries(responses)) {
      if (status === '2XX') expect(one['x-reference-status']).toBeTypeOf('number');
      else if (status !== '3XX') expect(one['x-reference-status']).toBeUndefined();
    }
  }
});

test('every list with commas is marked, so that it may also be repeated', () => {
  const lists = [...operations, ...listCompanions(loadServerDocument())].flatMap(({ parameters }) =>
    parameters.filter(({ in: place }) => place === 'query'),
  );
  for (const { name, description = '', ...marks } of lists) {
    const isList = /comma-separated/i.test(description);
    expect(marks['x-comma-separated'] ?? false, `${name}: ${description}`).toBe(isList);
  }
});

test('a reference to a missing component is refused', () => {
  const { parameters: _, ...others } = document.components;
  const broken = { ...document, components: { ...others, parameters: {} } };
  expect(() => listOperations(broken)).toThrow(
    new TypeError('the document has no component #/components/parameters/Limit'),
  );
});
