import type { ApiClient, ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import { Inconclusive, Violation } from '../../../verdict/findings.ts';
import { expectAllowed, expectStatus, violation } from '../../../check-kit/expect.ts';
import { ArchiveError, readArchive } from './archive.ts';
import type { Archive } from './archive.ts';
import { readDatasetFiles } from './dataset-files.ts';
import type { DatasetFiles } from './dataset-files.ts';

/** A dataset, or a part of it, as an export showed it. */
export interface Export {
  readonly files: DatasetFiles;
  /** The answer that held the archive: of the API, or of the storage that it redirected to. */
  readonly response: ApiResponse;
}

export interface ExportRequest {
  /** Id or alias. */
  readonly automation: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly key?: ApiRequest['key'] & {};
}

/** Asks for an export as all checks of the run may share it: not for a dataset that the run changes. */
export function sampleExport(api: ApiClient, request: ExportRequest): Promise<ApiResponse> {
  return api.sample(compose(request));
}

/** An export as it is now. Inconclusive when it leads to no archive: the check `api.export.zip` says so. */
export async function freshExport(api: ApiClient, request: ExportRequest): Promise<Export> {
  return readExport(api, await api.send(compose(request)));
}

/** Takes an answer to an export apart. Inconclusive when it leads to no archive. */
export async function readExport(api: ApiClient, exported: ApiResponse): Promise<Export> {
  try {
    const { archive, response } = await expectArchive(api, exported);
    return { files: readDatasetFiles(archive), response };
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    throw new Inconclusive(
      `the export is no archive, ${error.message}; see the check api.export.zip`,
    );
  }
}

/** Throws a violation unless the answer is an archive with 200, or a redirect that leads to one without a key. */
export async function expectArchive(
  api: ApiClient,
  exported: ApiResponse,
): Promise<{ readonly archive: Archive; readonly response: ApiResponse }> {
  const redirected = isRedirect(exported);
  const response = redirected ? await api.follow(exported) : exported;
  if (!redirected) expectAllowed(response);
  expectStatus(response, 200);
  try {
    return { archive: await readArchive(response.bytes), response };
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw violation('a ZIP archive', error.message, response);
  }
}

/** Leads elsewhere; a 3xx that names no address is no redirect to anyone. */
function isRedirect(exported: ApiResponse): boolean {
  return (
    exported.status >= 300 && exported.status <= 399 && exported.header('location') !== undefined
  );
}

function compose({ automation, query = {}, key = 'main' }: ExportRequest) {
  const path = `/v1/automations/${encodeURIComponent(automation)}/dataset/export`;
  return { path, query, key };
}
