import type { ApiClient, ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import { isRecord } from '../../../check-kit/expect.ts';

/** Asks which corrected files a run has. */
export function listExpectedFiles(
  api: ApiClient,
  run: string,
  key: ApiRequest['key'] & {},
): Promise<ApiResponse> {
  return api.send({ path: `/v1/runs/${encodeURIComponent(run)}/reviews/expected`, key });
}

/** The values in such an answer that are texts, the id of the run aside. */
export function textsIn({ json }: ApiResponse, run: string): readonly string[] {
  return textsOf(json).filter((text) => text !== '' && text !== run);
}

/**
 * What in such an answer is spelled like the name of a file, with an extension, and is neither an address nor a time. It
 * may be the name of a member, too: in which form the answer names files is left open.
 */
export function fileNamesIn(response: ApiResponse, run: string): readonly string[] {
  return [...textsIn(response, run), ...membersOf(response.json)].filter(
    (text) => /[^.]\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(text) && !/@|:\/\//.test(text),
  );
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return partsOf(value).flatMap(textsOf);
}

function membersOf(value: unknown): string[] {
  const own = isRecord(value) ? Object.keys(value) : [];
  return [...own, ...partsOf(value).flatMap(membersOf)];
}

function partsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value) : [];
}
