import { area } from '../../check-kit/area.ts';
import type { Area } from '../../check-kit/area.ts';
import type { CheckContext } from '../../check-kit/check.ts';
import { assumeSuccess } from '../../check-kit/expect.ts';
import { deliver } from './deliver.ts';
import { observe, seen } from './observed.ts';
import type { Observed } from './observed.ts';
import { realEvent } from './run-events.ts';

/** A test event has no effect, so checks of effects deliver real ones, and count as writes. */
export const receiverEffect: Area = area('receiver', {
  access: 'write',
  needs: ['receiver', 'receiver.observer'],
  timeoutMilliseconds: 30_000,
});

/** What has taken effect once an event that came later has: what came before it would show. */
export async function afterLater(context: CheckContext, name: string): Promise<Observed> {
  const later = realEvent(context, `${name}-later`);
  assumeSuccess(await deliver(context, later));
  await seen(context, later.id);
  return observe(context);
}
