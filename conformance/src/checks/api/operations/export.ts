import type { ApiClient, ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import { pathOf } from '../../../http/contract.ts';
import { Inconclusive, Violation } from '../../../verdict/findings.ts';
import { expectAllowed, expectEqual, expectStatus, violation } from '../../../check-kit/expect.ts';
import { ArchiveError, readArchive } from './archive.ts';
import type { Archive } from './archive.ts';
import { isRedirect } from './files.ts';
import { digestsOf, readDatasetFiles } from './dataset-files.ts';
import type { DatasetFiles } from './dataset-files.ts';

/** The files of an export. */
export interface Export {
  readonly files: DatasetFiles;
  /** The response with the archive: from the API, or from the storage that it redirected to. */
  readonly response: ApiResponse;
}

export interface ExportRequest {
  /** Id or alias. */
  readonly automation: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly key?: ApiRequest['key'] & {};
}

/** An export that all checks of the run share; not for a dataset that the run changes. */
export function sampleExport(api: ApiClient, request: ExportRequest): Promise<ApiResponse> {
  return api.sample(compose(request));
}

/** A new response to a request for an export. */
export function requestExport(api: ApiClient, request: ExportRequest): Promise<ApiResponse> {
  return api.send(compose(request));
}

/** A new export. Inconclusive without an archive: the check `api.export.zip` reports it. */
export async function freshExport(api: ApiClient, request: ExportRequest): Promise<Export> {
  return readExport(api, await requestExport(api, request));
}

/** Reads the archive of an export response. Inconclusive without one. */
export async function readExport(api: ApiClient, exported: ApiResponse): Promise<Export> {
  try {
    const { archive, response } = await expectArchive(api, exported);
    return { files: readDatasetFiles(archive), response };
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    throw new Inconclusive(`Cannot judge: the export is not a ZIP archive: ${error.message}.`, {
      exchange: error.detail.exchange ?? null,
      reportedBy: 'api.export.zip',
    });
  }
}

/** Throws a violation that shows `response` unless a dataset has these files, and no other. */
export function expectFiles(
  files: DatasetFiles,
  expected: DatasetFiles,
  response: ApiResponse,
): void {
  expectEqual('files', digestsOf(files), digestsOf(expected), response);
}

/** Throws a violation unless the response is an archive with 200, or a redirect to one that needs no key. */
export async function expectArchive(
  api: ApiClient,
  exported: ApiResponse,
): Promise<{ readonly archive: Archive; readonly response: ApiResponse }> {
  const redirected = isRedirect(exported);
  const response = redirected ? await api.follow(exported) : exported;
  // What storage responds is not the API's own: the contract states no status of it.
  expectAllowed(response);
  if (!redirected) expectStatus(response, 200);
  try {
    return { archive: await readArchive(response.bytes), response };
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw violation('a ZIP archive', error.message, response);
  }
}

function compose({ automation, query = {}, key = 'main' }: ExportRequest) {
  return { path: pathOf('exportDataset', { id: automation }), query, key };
}
