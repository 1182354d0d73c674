import type { ApiClient, ApiRequest, ApiResponse } from '../../../api-client.ts';
import { isRecord } from '../../expect.ts';

/** Asks which corrected files a run has. */
export function listExpectedFiles(
  api: ApiClient,
  run: string,
  key: ApiRequest['key'] & {},
): Promise<ApiResponse> {
  return api.send({ path: `/v1/runs/${encodeURIComponent(run)}/reviews/expected`, key });
}

/** The texts in such an answer, the id of the run aside: in which form it names its files is left open. */
export function textsIn({ json }: ApiResponse, run: string): readonly string[] {
  return textsOf(json).filter((text) => text !== '' && text !== run);
}

/** Those of the texts that are spelled like the name of a file: with an extension, and neither address nor time. */
export function fileNamesIn(answer: ApiResponse, run: string): readonly string[] {
  return textsIn(answer, run).filter(
    (text) => /[^.]\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(text) && !/@|:\/\//.test(text),
  );
}

/** Texts that are values, and names of members, since files may be listed by their name. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (!isRecord(value)) return [];
  return [...Object.keys(value), ...Object.values(value).flatMap(textsOf)];
}
