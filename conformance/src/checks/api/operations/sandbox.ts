import type { CheckContext } from '../../../check-kit/check.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import type { World } from '../../../clients/control-client.ts';
import { measureEffects } from './measure-effects.ts';

/**
 * Where a writing check works: a world of its own if a control interface can create one, else the tenant of the run's key.
 * There, call `restoreLater` with what a resource is before each write to it, whether the write should succeed or be
 * refused: a lax target takes both. `readReview` does it for review requests.
 */
export function openSandbox(context: CheckContext): Promise<CheckContext> {
  return sandboxIn(context, () => context.control.createWorld());
}

/** The world that a control interface gives, or the tenant of the run's key without one. */
export async function sandboxIn(
  context: CheckContext,
  world: () => Promise<World>,
): Promise<CheckContext> {
  await measureEffects(context);
  return controlOrNull(context) === null ? context : context.inWorld(await world());
}
