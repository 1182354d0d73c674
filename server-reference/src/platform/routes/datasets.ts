import type { ExpectedFileRename, ExpectedFileRenamed } from '@hookproof/spec';

import { archiveEntries, exportDownload } from '../datasets/archive.ts';
import { readArtifactPath, readBasename } from '../datasets/artifact-path.ts';
import { inOrder, occupantOf } from '../datasets/examples.ts';
import { ApiError, badRequest, issue, notFound } from '../http/api-error.ts';
import { Redirect } from '../http/response.ts';
import type { Download } from '../http/response.ts';
import { findAutomation, findExample, findExamples, refuseEmptyIds } from '../resources/find.ts';
import type { StoredFile } from '../state/datasets.ts';
import { exportAddress } from '../access/signed-url.ts';
import type { ApiRequest, Handler, Services } from './services.ts';

/** `PATCH …/examples/{exampleId}/expected/{path}`: renames an expected file within its folder. */
export function renameExpectedFile({ store }: Services): Handler<unknown, ExpectedFileRename> {
  return async function handle({
    key,
    path,
    body,
  }: ApiRequest<unknown, ExpectedFileRename>): Promise<ExpectedFileRenamed> {
    const from = readArtifactPath(path['path'] ?? '', 'path');
    if (body.newFilename === undefined) {
      throw badRequest('invalid_value', 'newFilename', 'is required');
    }
    const filename = readBasename(body.newFilename, 'newFilename');
    const folder = from.slice(0, from.lastIndexOf('/') + 1);
    const to = readArtifactPath(folder + filename, 'newFilename');
    return store.commit((state) => {
      const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
      const example = findExample(state, automation, path['exampleId'] ?? '');
      const file = example.expected.find((one) => one.path === from);
      if (file === undefined)
        throw notFound('path', 'the example has no expected file with this path');
      const others = example.expected.filter((one) => one !== file);
      refuseTaken(others, to);
      example.expected = inOrder([...others, { ...file, path: to }]);
      return { ok: true, filename, path: to };
    });
  };
}

function refuseTaken(others: readonly StoredFile[], path: string): void {
  const occupant = occupantOf(others, path);
  if (occupant === undefined) return;
  const what = occupant.path === path ? 'a file' : 'a folder';
  const message = `the folder already has ${what} with this name`;
  throw new ApiError(409, [issue('file_name_conflict', 'newFilename', message)], {
    hint: 'Choose another name, or rename the other file first.',
  });
}

/** `DELETE …/examples/{exampleId}/input/{path}`: deletes one input file. */
export function deleteInputFile({ store }: Services): Handler {
  return async function handle({ key, path }): Promise<undefined> {
    const place = readArtifactPath(path['path'] ?? '', 'path');
    await store.commit((state) => {
      const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
      const example = findExample(state, automation, path['exampleId'] ?? '');
      const others = example.input.filter((file) => file.path !== place);
      if (others.length === example.input.length) {
        throw notFound('path', 'the example has no input file with this path');
      }
      example.input = others;
    });
    return undefined;
  };
}

interface ExportQuery {
  readonly exampleIds?: string;
}

/** `GET /v1/automations/{id}/dataset/export`: the dataset, or some of its examples, as a ZIP archive. */
export function exportDataset(services: Services): Handler<ExportQuery> {
  return async function handle({
    key,
    path,
    query,
    origin,
  }: ApiRequest<ExportQuery>): Promise<Download | Redirect> {
    const { store, clock, settings } = services;
    refuseEmptyIds(query.exampleIds);
    const automation = findAutomation(store.state, key.tenantId, path['id'] ?? '');
    const examples = findExamples(store.state, automation, query.exampleIds);
    const entries = archiveEntries(examples);
    const bytes = entries.files.reduce((sum, { size }) => sum + size, 0);
    if (settings.redirectAboveBytes !== null && bytes > settings.redirectAboveBytes) {
      const exampleIds = query.exampleIds === undefined ? null : examples.map(({ id }) => id);
      const at = { now: clock.now(), seconds: settings.signedUrlSeconds };
      return new Redirect(origin + exportAddress(store.state, automation.id, exampleIds, at));
    }
    return exportDownload(services, automation, entries);
  };
}
