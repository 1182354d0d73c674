import { readingContext } from '../context/run-context.ts';
import type { RunContext } from '../context/run-context.ts';
import { discoverFixtures, discoverKeys } from './facts.ts';
import type { Discovery } from './discovery.ts';
import { reachApi, reachControl, reachReceiver } from '../preflight/reach.ts';

/** Reaches everything that the plan names, then learns keys and ids. Throws `Unreachable`. */
export async function discover(runContext: RunContext): Promise<Discovery> {
  const { plan, now } = runContext;
  const context = (keys: Discovery['facts']['keys']): ReturnType<typeof readingContext> =>
    readingContext(runContext, {
      facts: { keys, fixtures: {} },
      receiverClockOffsetMilliseconds: null,
    });

  // A key of its own belongs to a tenant of its own: only without one may the run live in a fresh world.
  const fresh = plan.allowWrites && plan.keys.main === undefined;
  const control =
    plan.control === null ? null : await reachControl(plan.control.url, context({}).control, fresh);
  const firstKeys = discoverKeys(plan, control?.world ?? null);
  const api =
    plan.baseUrl === null
      ? null
      : await reachApi(plan.baseUrl, context(firstKeys).api, firstKeys.main !== undefined, now);
  const receiver =
    plan.receiver === null
      ? null
      : await reachReceiver(plan.receiver.url, context({}).receiver, now);

  const tenantId = api?.identity?.tenantId;
  const world = control?.world ?? null;
  // Ids of another tenant's world would be unknown to the key.
  const ours = tenantId === undefined || world?.tenantId === tenantId ? world : null;
  const keys = discoverKeys(plan, ours);
  const fixtures = await discoverFixtures(plan, ours, keys, context(keys).api);
  return { facts: { keys, fixtures }, api, control, receiver };
}
