import type { CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess } from '../../../check-kit/expect.ts';
import type { ApiClient, ApiResponse } from '../../../clients/api-client.ts';
import { pathOf } from '../../../http/contract.ts';
import type { HeaderPair } from '../../../http/exchange.ts';
import { isSuccess, membersOf, redirectTarget } from '../../../http/message.ts';
import type { FixtureName } from '../../../options/facts.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';

export function filePath(id: string): string {
  return pathOf('getFile', { id });
}

function contentPath(id: string): string {
  return pathOf('getFileContent', { id });
}

/** The metadata in a response. Inconclusive without it: the checks `api.file.*` report it. */
export function fileIn(response: ApiResponse): Readonly<Record<string, unknown>> {
  assumeSuccess(response);
  return membersOf(response.json);
}

/** Compressed bytes could not be compared. */
const PLAIN: readonly HeaderPair[] = [['accept-encoding', 'identity']];

/** The response to a download: the bytes, or a redirect to storage. */
export function requestContent(api: ApiClient, id: string): Promise<ApiResponse> {
  return api.send({ path: contentPath(id), headers: PLAIN });
}

/** The same, shared by the checks of a run. */
export function sampleContent(api: ApiClient, id: string): Promise<ApiResponse> {
  return api.sample({ path: contentPath(id), headers: PLAIN });
}

/** The bytes of a file, from the API or from storage. */
export async function download(api: ApiClient, id: string): Promise<ApiResponse> {
  const response = await requestContent(api, id);
  return isRedirect(response) ? api.follow(response) : response;
}

/** Whether a response redirects to another URL. */
export function isRedirect(response: ApiResponse): boolean {
  // The shown exchange is made on demand: most responses need none.
  const { status } = response;
  if (status < 300 || status > 399) return false;
  return redirectTarget(response.exchange.request.url, response) !== null;
}

/** Neither a success nor a redirect to one. */
export function isWithheld(response: ApiResponse): boolean {
  return !isSuccess(response) && !isRedirect(response);
}

/** The durable file of the fixtures, and the temporary ones that are not reaped yet. */
export async function knownFiles(
  context: Pick<CheckContext, 'api' | 'fixture'>,
): Promise<readonly string[]> {
  const temporary = (['runInputFileId', 'builderAttachmentFileId'] as const).flatMap(
    (name) => fixtureOrNull(context, name) ?? [],
  );
  const responses = await Promise.all(
    temporary.map((id) => context.api.sample({ path: filePath(id) })),
  );
  const existing = temporary.filter((_id, index) => !isGone(responses[index]));
  return [context.fixture('fileId'), ...existing];
}

function isGone(response: ApiResponse | undefined): boolean {
  return response?.status === 404 || response?.status === 410;
}

/** Null for an unknown fixture. */
export function fixtureOrNull(
  context: Pick<CheckContext, 'fixture'>,
  name: FixtureName,
): string | null {
  try {
    return context.fixture(name);
  } catch (error) {
    if (error instanceof CouldNotRun) return null;
    throw error;
  }
}
