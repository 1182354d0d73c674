import type { ApiClient, ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import type { CheckContext } from '../../../check-kit/check.ts';
import { CouldNotRun, Inconclusive } from '../../../verdict/findings.ts';
import { isRecord } from '../../../check-kit/expect.ts';
import { INBOX } from './lists.ts';

type Entry = Readonly<Record<string, unknown>>;

/**
 * Where a writing check works: a world of its own where a control interface can make one, else the
 * tenant of the run's key, in which the check has to put back what it changes.
 */
export interface Sandbox {
  readonly api: ApiClient;
  readonly key: ApiRequest['key'] & {};
  readonly otherTenantKey: ApiRequest['key'] & {};
  /** True when nobody else will look at what the check leaves behind. */
  readonly disposable: boolean;
  fixture(name: Parameters<CheckContext['fixture']>[0]): string;
}

export async function openSandbox(context: CheckContext): Promise<Sandbox> {
  const { api } = context;
  try {
    const world = await context.control.createWorld();
    return {
      api,
      key: { value: world.keys.wildcard },
      otherTenantKey: { value: world.keys.otherTenant },
      disposable: true,
      fixture(name) {
        const id = world.fixtures[name];
        if (id === undefined) {
          throw new CouldNotRun(
            `the control interface made a world without ${name}`,
            `let POST /worlds of the control interface name fixtures.${name}`,
          );
        }
        return id;
      },
    };
  } catch (error) {
    if (!(error instanceof CouldNotRun)) throw error;
    return {
      api,
      key: 'main',
      otherTenantKey: 'otherTenant',
      disposable: false,
      fixture: (name) => context.fixture(name),
    };
  }
}

/** The inbox entry of a review request, sought through all pages, as it is now. */
export async function readReview(
  { api }: Sandbox,
  key: ApiRequest['key'] & {},
  id: string,
): Promise<{ entry: Entry; response: ApiResponse }> {
  for (let offset = 0; offset < 2_000; offset += 100) {
    const response = await api.send({ path: INBOX.path, key, query: { limit: 100, offset } });
    const entries = isRecord(response.json) ? response.json['data'] : undefined;
    if (!Array.isArray(entries)) break;
    const entry = entries.find((one) => isRecord(one) && one['id'] === id);
    if (isRecord(entry)) return { entry, response };
    if (entries.length < 100) break;
  }
  throw new Inconclusive(`the review request ${id} is not in the inbox, where it is to be read`);
}
