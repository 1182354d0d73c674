import type { CheckContext } from '../../../check-kit/check.ts';
import type { ApiClient, ApiRequest } from '../../../clients/api-client.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';

/**
 * Where a writing check works: its own world if a control interface can create one, else the tenant of the run's key,
 * in which the check must restore what it changes.
 */
export interface Sandbox {
  readonly api: ApiClient;
  readonly key: ApiRequest['key'] & {};
  readonly otherTenantKey: ApiRequest['key'] & {};
  /** Whether the check may leave its changes behind: no other check uses this world. */
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
        if (id !== undefined) return id;
        throw new CouldNotRun(
          `no fixture ${name} in the world of the control interface`,
          `return fixtures.${name} from POST /worlds of the control interface`,
        );
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
