import { isRecord } from '../http/message.ts';
import type { ApiClient, ApiResponse } from './api-client.ts';

const PAGE_SIZE = 100;
const MAX_ENTRIES = 2_000;

/** The entry with an id in the `data` of a list, from any of its pages; null without it. And the last page that was read. */
export async function findEntry(
  api: ApiClient,
  path: string,
  id: string,
): Promise<{
  readonly entry: Readonly<Record<string, unknown>> | null;
  readonly response: ApiResponse;
}> {
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const response = await api.send({ path, query: { limit: PAGE_SIZE, offset } });
    const { json } = response;
    const data = isRecord(json) && Array.isArray(json['data']) ? json['data'] : [];
    const entry = data.filter(isRecord).find((one) => one['id'] === id) ?? null;
    const isLast = data.length < PAGE_SIZE || offset + PAGE_SIZE >= MAX_ENTRIES;
    if (entry !== null || isLast) return { entry, response };
  }
}
