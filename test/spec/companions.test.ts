import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import { loadRequirements } from '@hookproof/spec/requirements';
import { expect, test } from 'vitest';

import { loadServerDocument } from '../../server-reference/src/api/server-document.ts';
import { EVALUATION_COMPANIONS } from './evaluation-companions.ts';
import type { CompanionRow } from './evaluation-companions.ts';
import { describeContent, describeParameter, describeSuccess } from './describe-operation.ts';

const START = ['query version string 1+', 'query wait_for_completion integer 0..600'];

// The companion operations: parameters, request body, success.
const COMPANIONS: Record<string, CompanionRow> = {
  ...EVALUATION_COMPANIONS,
  'getRunReview GET /v1/runs/{id}/reviews': [['path id! string'], 'none', '200 RunReviewOrNull'],
  'putRunReview PUT /v1/runs/{id}/reviews': [
    ['path id! string'],
    'RunReviewWrite, required',
    '200 WrittenRunReview',
  ],
  'updateRunReview PATCH /v1/runs/{id}/reviews': [
    ['path id! string'],
    'RunReviewWrite, required',
    '200 WrittenRunReview',
  ],
  'promoteRun POST /v1/runs/{id}/promote': [['path id! string'], 'RunPromotion', '200 PromotedRun'],
  'addExpectedReviewFile POST /v1/runs/{id}/reviews/expected': [
    ['path id! string'],
    'FeedbackExpectedCopy or form CorrectedFileForm, required',
    '201 CorrectedFileName',
  ],
  'getExpectedReviewFile GET /v1/runs/{id}/reviews/expected/{filename}': [
    ['path id! string', 'path filename!/ string'],
    'none',
    '200 bytes',
  ],
  'renameExpectedReviewFile PATCH /v1/runs/{id}/reviews/expected/{filename}': [
    ['path id! string', 'path filename!/ string'],
    'CorrectedFileName, required',
    '200 CorrectedFileName',
  ],
  'deleteExpectedReviewFile DELETE /v1/runs/{id}/reviews/expected/{filename}': [
    ['path id! string', 'path filename!/ string'],
    'none',
    '204 no body',
  ],
  'listRuns GET /v1/runs': [
    [
      'query cursor string',
      'query type string',
      'query status string',
      'query trigger string',
      'query source string',
      'query automationId string',
      'query sourceRef string',
      'query triggeredBy string',
      'query ids string',
      'query batchId string',
      'query exampleId string',
      'query exampleIdContains string',
      'query experiments string',
      'query from string',
      'query to string',
      'query createdAfter string',
      'query createdBefore string',
      'query completedAfter string',
      'query completedBefore string',
      'query sort string',
      'query order string',
      'query sampleRate string',
      'query reviewStatus string',
      'query reviewVerdict string',
      'query hasReview string',
      'query noReview string',
      'query hasCorrections string',
      'query reviewNoteContains string',
      'query reviewCreatedAfter string',
      'query reviewCreatedBefore string',
      'query reviewUpdatedAfter string',
      'query reviewUpdatedBefore string',
      'query reviewClosedAfter string',
      'query reviewClosedBefore string',
      'query limit integer 1..100',
      'query offset integer 0..9007199254740991',
    ],
    'none',
    '200 RunList',
  ],
  'startRun POST /v1/runs': [
    START,
    'RunStart or form RunStartForm, required',
    '200 RunView, 201 RunAccepted, 202 RunAccepted',
  ],
  'rerunRun POST /v1/runs/{id}/rerun': [
    ['path id! string', ...START],
    'none',
    '200 RunView, 201 RunAccepted, 202 RunAccepted',
  ],
  'cancelRun POST /v1/runs/{id}/cancel': [['path id! string'], 'none', '200 RunCancelled'],
  'listRunSteps GET /v1/runs/{id}/steps': [['path id! string'], 'none', '200 RunStepList'],
  'listRunEvents GET /v1/runs/{id}/events': [['path id! string'], 'none', '200 RunEventList'],
  'getRunTrace GET /v1/runs/{id}/trace': [['path id! string'], 'none', '200 RunTrace'],
  'listRunScores GET /v1/runs/{id}/scores': [['path id! string'], 'none', '200 RunScoreList'],
  'listRunArtifacts GET /v1/runs/{id}/artifacts': [
    ['path id! string', 'query zip string', 'query bundle string'],
    'none',
    '200 RunArtifactList or archive',
  ],
  'downloadRunArtifact GET /v1/runs/{id}/artifacts/{path}': [
    ['path id! string', 'path path!/ string'],
    'none',
    '200 bytes',
  ],
  'uploadFile POST /v1/files': [[], 'form FileUploadForm, required', '200 File'],
  'abortFileUpload DELETE /v1/files/uploads/{uploadId}': [
    ['path uploadId! string'],
    'none',
    '200 {aborted!: boolean}',
  ],
  'deleteFile DELETE /v1/files/{id}': [['path id! string'], 'none', '200 {deleted!: boolean}'],
  'createFileUpload POST /v1/files/uploads': [[], 'FileUploadStart, required', '200 FileUpload'],
};

const document = loadServerDocument();
const companions = listCompanions(document);

test('companions.yaml contains exactly these companion operations', () => {
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
  expect(new Set(ids).size).toBe(20 + Object.keys(COMPANIONS).length);
  expect(ids).toHaveLength(20 + Object.keys(COMPANIONS).length);
});

test.each(companions)(
  '$operationId has the key, the address and the errors of the others',
  (one) => {
    const { method, responses, scopes, address } = one;
    const sibling = listOperations(document).find(
      // The contract has no PUT.
      (other) =>
        other.method === (method === 'PUT' ? 'PATCH' : method) &&
        other.responses['default'] !== undefined,
    );
    const errorsOf = (all: typeof responses) =>
      // Only downloads with ranges have a 416.
      Object.entries(all).filter(([status]) => !/^[23]|416/.test(status));
    expect(errorsOf(responses)).toEqual(errorsOf(sibling?.responses ?? {}));
    expect({ scopes, address }).toEqual({ scopes: [], address: 'base' });
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
