import type { ApiClient, ApiRequest, ApiResponse } from '../../../api-client.ts';
import { redirectTarget } from '../../../wire/redirect-target.ts';
import { expectControlPasses, isRecord, isSuccess } from '../../expect.ts';

type Key = ApiRequest['key'] & {};

export function filePath(id: string): string {
  return `/v1/files/${encodeURIComponent(id)}`;
}

export function contentPath(id: string): string {
  return `${filePath(id)}/content`;
}

/** The metadata of a file as it is now. Inconclusive when it is not answered: the checks `api.file.*` say so. */
export async function readFile(
  api: ApiClient,
  id: string,
  key: Key = 'main',
): Promise<{ file: Readonly<Record<string, unknown>>; response: ApiResponse }> {
  const response = await api.send({ path: filePath(id), key });
  expectControlPasses(response);
  return { file: isRecord(response.json) ? response.json : {}, response };
}

/** What a download is answered with: the bytes, or a redirect to storage. Coded bytes could not be compared. */
export function requestContent(
  api: ApiClient,
  id: string,
  key: Key = 'main',
): Promise<ApiResponse> {
  return api.send({ path: contentPath(id), key, headers: [['accept-encoding', 'identity']] });
}

/** The bytes of a file, from wherever they come. */
export async function download(
  api: ApiClient,
  id: string,
  key: Key = 'main',
): Promise<ApiResponse> {
  const response = await requestContent(api, id, key);
  return isRedirect(response) ? api.follow(response) : response;
}

/** A 3xx that names an address to go to. */
export function isRedirect(response: ApiResponse): boolean {
  return redirectTarget(response.exchange.request.url, response) !== null;
}

/** Neither the thing itself nor the way to it. */
export function isWithheld(response: ApiResponse): boolean {
  return !isSuccess(response) && !isRedirect(response);
}
