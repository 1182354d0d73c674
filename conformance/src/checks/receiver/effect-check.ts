import type { Check, CheckContext, Requirements } from '../../check-kit/check.ts';
import { assumeSuccess } from '../../check-kit/expect.ts';
import { deliver } from './deliver.ts';
import { observe, seen } from './observed.ts';
import type { Observed } from './observed.ts';
import { realEvent } from './run-events.ts';

/** What checks of effects have alike: a test event has no effect, so they deliver real ones, and count as writes. */
export function effectCheck(
  name: string,
  ...requirements: Requirements
): Omit<Check, 'title' | 'run'> {
  return {
    id: `receiver.${name}`,
    requirements,
    side: 'receiver',
    access: 'write',
    needs: ['receiver', 'receiver.observer'],
    timeoutMilliseconds: 30_000,
  };
}

/** What has taken effect once an event that came later has: what came before it would show. */
export async function afterLater(context: CheckContext, name: string): Promise<Observed> {
  const later = realEvent(context, `${name}-later`);
  assumeSuccess(await deliver(context, later));
  await seen(context, later.id);
  return observe(context);
}
