import { JsonText } from '../http/response.ts';
import { cacheUntilCommit } from '../store/cache-until-commit.ts';
import type { Handler, Services } from './services.ts';

/**
 * Returns the handler of a list that presents each page once: until the next commit, the same tenant gets the
 * same page for the same query. The list must depend on nothing else, save for times such as `now-30d`.
 */
export function cachedList<Query extends object>(
  { store }: Pick<Services, 'store'>,
  handle: Handler<Query>,
): Handler<Query> {
  const pages = cacheUntilCommit<Promise<JsonText>>(store);
  return async function handleOnce(request) {
    const { key, query } = request;
    if (dependsOnTime(query)) return handle(request);
    const page = JSON.stringify([key.tenantId, query]);
    return pages(page, async () => new JsonText((await handle(request)) ?? {}));
  };
}

function dependsOnTime(query: object): boolean {
  return Object.values(query).some((value) => /^now/i.test(String(value)));
}
