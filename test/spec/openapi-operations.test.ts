import { listCompanions, listOperations, loadOpenApi } from '@hookproof/spec/openapi';
import { expect, test } from 'vitest';

import { loadServerDocument } from '../../server-reference/src/api/server-document.ts';
import { describeContent, describeParameter, describeSuccess } from './describe-operation.ts';

// Written from the contract, not from openapi.yaml: method and path, then every parameter.
// `!` required, `?` name chosen by the reference server, `/` can contain slashes.
const ALIAS = 'path id! string';
const RUN = 'path id! string';
const LIMIT = 'query limit integer 1..100';
const OFFSET = 'query offset integer 0..9007199254740991';
const OPERATIONS: Record<string, string[]> = {
  'listDatasetReviewRequests GET /v1/dataset-review-requests': [
    'query status string',
    LIMIT,
    OFFSET,
  ],
  'updateDatasetReviewRequest PATCH /v1/automations/{id}/dataset-review-requests/{reviewId}': [
    ALIAS,
    'path reviewId! string',
  ],
  'moveAutomation PATCH /v1/automations/{id}': [ALIAS],
  'renameExpectedFile PATCH /v1/automations/{id}/examples/{exampleId}/expected/{path}': [
    ALIAS,
    'path exampleId! string',
    'path path!/ string',
  ],
  'deleteInputFile DELETE /v1/automations/{id}/examples/{exampleId}/input/{path}': [
    ALIAS,
    'path exampleId! string',
    'path path!/ string',
  ],
  'exportDataset GET /v1/automations/{id}/dataset/export': [ALIAS, 'query exampleIds? string'],
  'clearRunReviews DELETE /v1/runs/{id}/reviews': [RUN],
  'listExpectedReviewFiles GET /v1/runs/{id}/reviews/expected': [RUN],
  'copyOutputToExpected POST /v1/runs/{id}/feedback/expected': [RUN],
  'copyOutputToExpectedApp POST /api/v1/runs/{id}/feedback/expected': [RUN],
  'getRunUsage GET /v1/runs/{id}/usage': [RUN],
  'getRun GET /v1/runs/{id}': [RUN, 'query expand? string'],
  'getRunApp GET /api/v1/runs/{id}': [RUN, 'query expand? string'],
  'checkAuth GET /v1/auth/check': [],
  'completeFileUpload POST /v1/files/uploads/{uploadId}/complete': ['path uploadId! string'],
  'getFile GET /v1/files/{id}': ['path id! string'],
  'getFileContent GET /v1/files/{id}/content': ['path id! string'],
  'listTemplates GET /v1/templates': [LIMIT, OFFSET],
  'getExperiment GET /v1/experiments/{experimentId}': ['path experimentId! string'],
  'listAgents GET /api/v1/agents': [
    'query search? string',
    'query slug string',
    LIMIT,
    OFFSET,
    'query includeArchived boolean',
  ],
};

const REQUEST_BODIES: Record<string, string> = {
  updateDatasetReviewRequest: 'DatasetReviewRequestUpdate',
  moveAutomation: 'AutomationMove',
  renameExpectedFile: 'ExpectedFileRename',
  copyOutputToExpected: 'FeedbackExpectedCopy, required',
  copyOutputToExpectedApp: 'FeedbackExpectedCopy, required',
};

const SUCCESS: Record<string, string> = {
  listDatasetReviewRequests: '200 DatasetReviewRequestList',
  updateDatasetReviewRequest: '2XX DatasetReviewRequestDetail',
  moveAutomation: '2XX Automation',
  renameExpectedFile: '2XX ExpectedFileRenamed',
  deleteInputFile: '2XX no body',
  exportDataset: '200 bytes, 3XX no body',
  clearRunReviews: '2XX {review!: RunReview or null}',
  listExpectedReviewFiles: '2XX anything',
  copyOutputToExpected: '2XX FeedbackExpectedCopied',
  copyOutputToExpectedApp: '2XX FeedbackExpectedCopied',
  getRunUsage: '2XX {usage!: RunUsage}',
  getRun: '2XX anything',
  getRunApp: '2XX anything',
  checkAuth: '2XX ApiKeyIdentity',
  completeFileUpload: '2XX File',
  getFile: '2XX File',
  getFileContent: '304 no body, 2XX bytes, 3XX no body',
  listTemplates: '2XX TemplateList',
  getExperiment: '2XX ExperimentReference',
  listAgents: '2XX AgentList',
};

const ERRORS = ['400', '401', '403', '404', '413', '429', '500', '503'];

const document = loadOpenApi();
const operations = listOperations(document);

test('openapi.yaml contains exactly the operations and parameters of the contract', () => {
  const described = operations.map(({ operationId, method, path, parameters }) => [
    `${operationId} ${method} ${path}`,
    parameters.map(describeParameter),
  ]);
  expect(Object.fromEntries(described)).toEqual(OPERATIONS);
});

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
  const described = operations.flatMap(({ operationId, requestBody }) =>
    requestBody === undefined
      ? []
      : [
          [
            operationId,
            describeContent(requestBody.content) + (requestBody.required ? ', required' : ''),
          ],
        ],
  );
  expect(Object.fromEntries(described)).toEqual(REQUEST_BODIES);
});

test('success responses have the status and body of the contract', () => {
  const described = operations.map((one) => [one.operationId, describeSuccess(one)]);
  expect(Object.fromEntries(described)).toEqual(SUCCESS);
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
      expect(describeContent(content)).toBe('ErrorEnvelope');
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
