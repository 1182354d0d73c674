import { isDeepStrictEqual } from 'node:util';

import type { CheckContext } from '../../../check-kit/check.ts';
import { Inconclusive, Violation } from '../../../verdict/findings.ts';
import { digestsOf } from './dataset-files.ts';
import { freshExport, readExport, sampleExport } from './export.ts';
import type { Export, ExportRequest } from './export.ts';

type ReadExport = (request: ExportRequest) => Promise<Export>;

/**
 * Compares exports of a dataset that other users may change meanwhile. A violation among shared samples counts only if
 * it also occurs in new exports, between two equal exports of the whole dataset.
 */
export async function compareExports(
  context: CheckContext,
  compare: (read: ReadExport) => Promise<void>,
): Promise<void> {
  const { api } = context;
  try {
    return await compare(async (request) => readExport(api, await sampleExport(api, request)));
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
  }
  const automation = context.fixture('datasetAutomationId');
  const before = await freshExport(api, { automation });
  try {
    return await compare((request) => freshExport(api, request));
  } catch (error) {
    const after = await freshExport(api, { automation });
    if (isDeepStrictEqual(digestsOf(before.files), digestsOf(after.files))) throw error;
    throw new Inconclusive('Cannot judge: the dataset changed during the comparison.');
  }
}
