import type { ApiClient, ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import type { HeaderPair } from '../../../http/exchange.ts';
import { redirectTarget } from '../../../http/message.ts';
import { assumeSuccess, isRecord, isSuccess } from '../../../check-kit/expect.ts';

type Key = ApiRequest['key'] & {};

export function filePath(id: string): string {
  return `/v1/files/${encodeURIComponent(id)}`;
}

export function contentPath(id: string): string {
  return `${filePath(id)}/content`;
}

/** The metadata in an answer. Inconclusive when it is none: the checks `api.file.*` say so. */
export function fileIn(response: ApiResponse): Readonly<Record<string, unknown>> {
  assumeSuccess(response);
  return isRecord(response.json) ? response.json : {};
}

/** Coded bytes could not be compared. */
const PLAIN: readonly HeaderPair[] = [['accept-encoding', 'identity']];

/** What a download is answered with: the bytes, or a redirect to storage. */
export function requestContent(api: ApiClient, id: string, key: Key): Promise<ApiResponse> {
  return api.send({ path: contentPath(id), key, headers: PLAIN });
}

/** The same, shared by the checks of a run. */
export function sampleContent(api: ApiClient, id: string): Promise<ApiResponse> {
  return api.sample({ path: contentPath(id), headers: PLAIN });
}

/** The bytes of a file, from wherever they come. */
export async function download(api: ApiClient, id: string, key: Key): Promise<ApiResponse> {
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
