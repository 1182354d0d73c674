import type { CheckContext } from '../../../check-kit/check.ts';
import { byAlias } from './aliases.ts';
import { fixtureOrNull } from './files.ts';
import { operationFrom } from './operation.ts';
import type { ApiOperation, ValidRequest } from './operation.ts';

/** The largest page: most checks of a list share it. */
const FIRST_PAGE = { limit: 100, offset: 0 };

/** Compressed bytes could not be compared. */
const PLAIN = [['accept-encoding', 'identity']] as const;

/** The operations that read, each with the ids that it takes from the fixtures. */
export const READS: readonly ApiOperation[] = [
  operationFrom({
    ...list('inbox', 'listDatasetReviewRequests'),
    otherForms: (_sandbox, valid) => [withQuery(valid, { status: 'open' })],
  }),
  list('templates', 'listTemplates'),
  operationFrom({
    ...list('agents', 'listAgents'),
    needs: ['key.main', 'app'],
    otherForms: (sandbox, valid) => {
      const slug = fixtureOrNull(sandbox, 'agentSlug');
      return [
        ...(slug === null ? [] : [withQuery(valid, { slug })]),
        withQuery(valid, { includeArchived: true }),
      ];
    },
  }),
  operationFrom({
    name: 'auth-check',
    operationId: 'checkAuth',
    needs: ['key.main'],
    ids: [],
    request: () => Promise.resolve({ parameters: {} }),
  }),
  operationFrom({
    name: 'export',
    operationId: 'exportDataset',
    needs: ['key.main'],
    ids: ['id'],
    request: (sandbox) => Promise.resolve({ parameters: { id: datasetOwner(sandbox) } }),
    otherForms: byAlias,
  }),
  operationFrom({
    name: 'usage',
    operationId: 'getRunUsage',
    needs: ['key.main', 'fixture.runId'],
    ids: ['id'],
    request: (sandbox) => Promise.resolve({ parameters: { id: sandbox.fixture('runId') } }),
  }),
  operationFrom({
    name: 'run',
    operationId: 'getRunApp',
    advice: 'run.read',
    needs: ['key.main', 'app', 'fixture.runId'],
    ids: ['id'],
    request: (sandbox) => Promise.resolve({ parameters: { id: sandbox.fixture('runId') } }),
  }),
  operationFrom({
    name: 'file',
    operationId: 'getFile',
    needs: ['key.main', 'fixture.fileId'],
    ids: ['id'],
    request: (sandbox) => Promise.resolve({ parameters: { id: sandbox.fixture('fileId') } }),
  }),
  operationFrom({
    name: 'file-content',
    operationId: 'getFileContent',
    needs: ['key.main', 'fixture.fileId'],
    ids: ['id'],
    request: (sandbox) =>
      Promise.resolve({ parameters: { id: sandbox.fixture('fileId') }, headers: PLAIN }),
  }),
  operationFrom({
    name: 'experiment',
    operationId: 'getExperiment',
    needs: ['key.main', 'fixture.experimentId'],
    ids: ['experimentId'],
    request: (sandbox) =>
      Promise.resolve({ parameters: { experimentId: sandbox.fixture('experimentId') } }),
  }),
];

function list(name: string, operationId: string): ApiOperation {
  return operationFrom({
    name,
    operationId,
    needs: ['key.main'],
    ids: [],
    request: (): Promise<ValidRequest> => Promise.resolve({ parameters: {}, query: FIRST_PAGE }),
  });
}

function withQuery(valid: ValidRequest, query: ValidRequest['query'] & {}): ValidRequest {
  return { ...valid, query: { ...valid.query, ...query } };
}

/** A dataset review request shows the automation of a dataset, also where the fixtures name none. */
function datasetOwner(sandbox: CheckContext): string {
  const named = fixtureOrNull(sandbox, 'datasetAutomationId');
  return (
    named ?? fixtureOrNull(sandbox, 'reviewAutomationId') ?? sandbox.fixture('datasetAutomationId')
  );
}
