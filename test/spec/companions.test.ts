import { listCompanions, listOperations, loadOpenApi } from '@hookproof/spec/openapi';
import { loadRequirements } from '@hookproof/spec/requirements';
import { expect, test } from 'vitest';

import { describeContent, describeParameter, describeSuccess } from './describe-operation.ts';

// The companion operations: parameters, request body, success.
const COMPANIONS: Record<string, [parameters: string[], body: string, success: string]> = {
  'getAutomation GET /v1/automations/{id}': [['path id! string'], 'none', '200 Automation'],
  'listAutomations GET /v1/automations': [
    [
      'query type AutomationType',
      'query folderId string',
      'query limit integer 1..100',
      'query offset integer 0..9007199254740991',
    ],
    'none',
    '200 AutomationList',
  ],
  'listRuns GET /v1/runs': [
    [
      'query status string',
      'query automationId string',
      'query limit integer 1..100',
      'query offset integer 0..9007199254740991',
    ],
    'none',
    '200 RunList',
  ],
  'startRun POST /v1/runs': [[], 'RunStart, required', '202 RunSnapshot'],
  'cancelRun POST /v1/runs/{id}/cancel': [['path id! string'], 'none', '200 RunSnapshot'],
  'uploadFile POST /v1/files': [[], 'form FileUploadForm, required', '200 File'],
  'createFileUpload POST /v1/files/uploads': [[], 'FileUploadStart, required', '200 FileUpload'],
};

const document = loadOpenApi();
const companions = listCompanions(document);

test('openapi.yaml contains exactly these companion operations', () => {
  const described = companions.map((one) => [
    `${one.operationId} ${one.method} ${one.path}`,
    [one.parameters.map(describeParameter), describeBody(one), describeSuccess(one)],
  ]);
  expect(Object.fromEntries(described)).toEqual(COMPANIONS);
});

function describeBody({ requestBody }: (typeof companions)[number]): string {
  if (requestBody === undefined) return 'none';
  return describeContent(requestBody.content) + (requestBody.required ? ', required' : '');
}

test('no companion operation belongs to the contract', () => {
  const ids = [...companions, ...listOperations(document)].map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(20 + 7);
  expect(ids).toHaveLength(20 + 7);
});

test.each(companions)(
  '$operationId has the key, the address and the errors of the others',
  (one) => {
    const { method, path, responses, scopes, address } = one;
    const sibling = listOperations(document).find(
      (other) => other.method === method && other.responses['default'] !== undefined,
    );
    const errorsOf = (all: typeof responses) =>
      Object.entries(all).filter(([status]) => !/^[23]/.test(status));
    expect(errorsOf(responses)).toEqual(errorsOf(sibling?.responses ?? {}));
    expect({ scopes, address }).toEqual({ scopes: [], address: 'base' });
    expect(document.paths[path]?.servers?.map(({ url }) => url)).toEqual(['{base_url}']);
  },
);

test('no requirement mentions a companion operation', () => {
  for (const { operationId, method, path } of companions) {
    const speaking = loadRequirements().filter((row) => {
      const text = JSON.stringify(row);
      // `POST /v1/runs` is one, `POST /v1/runs/{id}/feedback/expected` is not.
      const [, ...after] = text.split(`${method} ${path}`);
      return text.includes(operationId) || after.some((rest) => !/^[\w/{]/.test(rest));
    });
    expect(speaking, operationId).toEqual([]);
  }
});
