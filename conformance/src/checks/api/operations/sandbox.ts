import type { CheckContext } from '../../../check-kit/check.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import type { ApiClient, Key } from '../../../clients/api-client.ts';
import type { World } from '../../../clients/control-client.ts';
import type { Reading, TakingBack } from '../../../undo/undo.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import { measureEffects } from './measure-effects.ts';

/**
 * Where a writing check works: its own world if a control interface can create one, else the tenant of the run's key.
 * There, call `restoreLater` with what a resource is before each write to it, whether the write should succeed or be
 * refused: a lax target takes both. `readReview` does it for review requests.
 */
export interface Sandbox {
  readonly api: ApiClient;
  readonly key: Key;
  readonly otherTenantKey: Key;
  /** The key with only the scope `ocr:full`. */
  readonly ocrKey: Key;
  /** Whether the check may leave its changes behind: no other check uses this world. */
  readonly disposable: boolean;
  /** Tells how a resource is, which is put back when the attempt ends. Does nothing in a world of its own. */
  restoreLater(reading: Reading): void;
  /** Tells how a change that is about to be made is taken back. Does nothing in a world of its own. */
  takeBackLater(request: Omit<TakingBack, 'key'>): Promise<void>;
  /** How long the effects of its writes take. */
  readonly effects: CheckContext['effects'];
  fixture(name: Parameters<CheckContext['fixture']>[0]): string;
}

export function openSandbox(context: CheckContext): Promise<Sandbox> {
  return sandboxIn(context, () => context.control.createWorld());
}

/** The world that a control interface gives, or the tenant of the run's key without one. */
export async function sandboxIn(
  context: CheckContext,
  world: () => Promise<World>,
): Promise<Sandbox> {
  await measureEffects(context);
  return controlOrNull(context) === null
    ? tenantSandbox(context)
    : worldSandbox(context, await world());
}

/** The tenant of the run's key. */
export function tenantSandbox(context: CheckContext): Sandbox {
  return {
    api: context.api,
    key: 'main',
    otherTenantKey: 'otherTenant',
    ocrKey: 'ocr',
    disposable: false,
    restoreLater: (reading) => context.restoreLater(reading),
    takeBackLater: (request) => context.takeBackLater({ ...request, key: 'main' }),
    effects: context.effects,
    fixture: (name) => context.fixture(name),
  };
}

/** A world of the control interface, for the requests of this check. */
export function worldSandbox({ api, effects }: CheckContext, { keys, fixtures }: World): Sandbox {
  return {
    api,
    key: { value: keys.wildcard },
    otherTenantKey: { value: keys.otherTenant },
    ocrKey: { value: keys.ocr },
    disposable: true,
    restoreLater: () => {},
    takeBackLater: async () => {},
    effects,
    fixture(name) {
      const id = fixtures[name];
      if (id !== undefined) return id;
      throw new CouldNotRun(
        `no fixture ${name} in the world of the control interface`,
        `return fixtures.${name} from POST /worlds of the control interface`,
      );
    },
  };
}
