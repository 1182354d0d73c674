import type { ApiResponse } from '../../../clients/api-client.ts';
import type { CheckContext } from '../../../check-kit/check.ts';
import { isRecord } from '../../../http/message.ts';
import { Inconclusive } from '../../../verdict/findings.ts';
import { INBOX } from './lists.ts';

/** Read requests that cause an error, by the expected status. */
export const ERRORS: Readonly<Record<number, (context: CheckContext) => Promise<ApiResponse>>> = {
  400: ({ api }) => api.sample({ path: INBOX.path, query: { limit: 0, offset: 0 } }),
  401: ({ api }) => api.sample({ path: INBOX.path, query: { limit: 1, offset: 0 }, key: null }),
  403: ({ api }) => api.sample({ path: INBOX.path, query: { limit: 1, offset: 0 }, key: 'ocr' }),
  404: ({ api }) => api.sample({ path: '/v1/experiments/unknown-experiment' }),
};

/**
 * The error responses with a JSON object as body. Inconclusive without any: the checks
 * `api.envelope.<kind>` report it, one for each kind of error.
 */
export async function envelopes(
  context: CheckContext,
): Promise<readonly { body: Readonly<Record<string, unknown>>; response: ApiResponse }[]> {
  const found = [];
  for (const cause of Object.values(ERRORS)) {
    const response = await cause(context);
    if (response.status < 400 || !isRecord(response.json)) continue;
    found.push({ body: response.json, response });
  }
  if (found.length === 0) {
    throw new Inconclusive('Cannot judge: no invalid request got an error in JSON.');
  }
  return found;
}
