import { envelopeFault } from '../../../check-kit/exchange-rules.ts';
import type { ApiClient, ApiResponse } from '../../../clients/api-client.ts';

/** Why a response is that of a path or method that nothing serves; null when an operation may have written it. */
export async function absenceOf(api: ApiClient, response: ApiResponse): Promise<string | null> {
  const { status } = response;
  if (status === 405 || status === 501) {
    return 'The operation does not exist: something else is at its path, with other methods.';
  }
  return status === 404 ? unservedCause(api, response) : null;
}

/** Why a 404 is not that of an operation that does not know an id; null when it may be. */
export async function unservedCause(api: ApiClient, response: ApiResponse): Promise<string | null> {
  if (envelopeFault(response) === null || !(await writesEnvelopes(api))) return null;
  return 'The operation does not exist: other errors of this target have an envelope, and this 404 has none.';
}

async function writesEnvelopes(api: ApiClient): Promise<boolean> {
  return envelopeFault(await api.sample({ path: '/v1/auth/check', key: null })) === null;
}
