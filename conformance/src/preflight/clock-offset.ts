import type { ApiResponse } from '../clients/api-client.ts';

/**
 * The clock of a target minus that of the suite, in milliseconds; null when the response does not show it. `midway`: the
 * time between request and response. The Date header has whole seconds, half a second is the best estimate of the rest, and
 * it may come from a proxy. A stored response has an Age.
 */
export function clockOffsetIn(response: ApiResponse, midway: number): number | null {
  const date = Date.parse(response.header('date') ?? '');
  if (Number.isNaN(date) || response.header('age') !== undefined) return null;
  return Math.round(date + 500 - midway);
}
