import type { World } from '@hookproof/server-reference';
import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import type { Operation } from '@hookproof/spec/openapi';

import { loadServerDocument } from '../../../../server-reference/src/api/server-document.ts';
import { requiredQuery } from '../../required-query.ts';

/** One place in the address of an operation for a value. */
export interface PathPlace {
  readonly operationId: string;
  readonly method: string;
  /** The address around the value. */
  readonly before: string;
  readonly after: string;
  /** A valid value. */
  readonly valid: string;
  /** A body that the operation accepts, or the empty text. */
  readonly body: string;
}

type Values = Readonly<Record<string, string>>;

const BODIES: Readonly<Record<string, unknown>> = {
  updateDatasetReviewRequest: { title: 'hostile' },
  moveAutomation: { folderPath: 'Hostile' },
  renameInputFile: { newFilename: 'hostile.txt' },
  updateDatasetExample: { annotation: 'hostile' },
  renameExpectedFile: { newFilename: 'hostile.txt' },
  putRunReview: {},
  updateRunReview: {},
  promoteRun: { name: 'hostile' },
  renameExpectedReviewFile: { name: 'hostile.txt' },
  addExpectedReviewFile: { outputFileName: 'hostile.txt' },
  copyOutputToExpected: { outputFileName: 'hostile.txt' },
  copyOutputToExpectedApp: { outputFileName: 'hostile.txt' },
};

/** Every place of every operation that has a parameter in its path. */
export function pathPlaces(world: World): PathPlace[] {
  const document = loadServerDocument();
  return [...listOperations(document), ...listCompanions(document)].flatMap((operation) =>
    [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => placeOf(operation, match, world)),
  );
}

function placeOf(operation: Operation, match: RegExpExecArray, world: World): PathPlace {
  const { operationId, method, path } = operation;
  const values = validValues(operation, world);
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? '?');
  const body = BODIES[operationId];
  return {
    operationId,
    method,
    before: fill(path.slice(0, match.index)),
    after: fill(path.slice(match.index + match[0].length)) + requiredQuery(operation),
    valid: values[match[1] ?? ''] ?? '?',
    body: body === undefined ? '' : JSON.stringify(body),
  };
}

/** The paths of files, by operation. Default: an expected file of the example. */
const VALID_PATHS: Readonly<Record<string, (fixtures: World['fixtures']) => string>> = {
  deleteInputFile: ({ inputFilePath }) => inputFilePath,
  downloadRunArtifact: ({ outputFileName }) => `output/${outputFileName}`,
};

function validValues({ operationId, path }: Operation, { fixtures }: World): Values {
  const named = {
    exampleId: fixtures.exampleId,
    reviewId: fixtures.openReviewId,
    uploadId: fixtures.uploadId,
    experimentId: fixtures.experimentId,
    filename: 'corrected/matched-invoices.csv',
    path:
      VALID_PATHS[operationId]?.(fixtures) ??
      (operationId.includes('Input') ? fixtures.inputFilePath : fixtures.expectedFilePath),
  };
  if (path.includes('/files/')) return { ...named, id: fixtures.fileId };
  if (path.includes('/runs/')) return { ...named, id: fixtures.reviewedRunId };
  if (path.includes('dataset-review-requests')) {
    return { ...named, id: fixtures.reviewAutomationId };
  }
  return { ...named, id: fixtures.datasetAutomationId };
}
