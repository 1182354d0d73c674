import type { ApiClient, ApiResponse } from '../../../clients/api-client.ts';
import { isRecord } from '../../../http/message.ts';

/** Lists the corrected files of a run. */
export function listExpectedFiles(api: ApiClient, run: string): Promise<ApiResponse> {
  return api.send({ path: `/v1/runs/${encodeURIComponent(run)}/reviews/expected` });
}

/** The strings in such a response, without the id of the run. */
export function textsIn({ json }: ApiResponse, run: string): readonly string[] {
  return textsOf(json).filter((text) => text !== '' && text !== run);
}

/**
 * The strings and member names of such a response that look like file names with an extension and are neither a URL nor
 * a time. The contract leaves the form of the response open.
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
