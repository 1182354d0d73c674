import type { CheckContext } from '../check-kit/check.ts';
import type { ApiClient } from '../clients/api-client.ts';
import type { World } from '../clients/control-client.ts';
import { readingContext } from '../context/context.ts';
import type { RunContext } from '../context/context.ts';
import { FIXTURE_NAMES, factsFrom } from '../options/facts.ts';
import type { Facts, FixtureName } from '../options/facts.ts';
import type { Plan } from '../options/plan.ts';
import { reachApi, reachControl, reachReceiver } from '../preflight/preflight.ts';
import type { ReachedApi, ReachedControl, ReachedReceiver } from '../preflight/preflight.ts';
import { walkLists } from './walk-lists.ts';

/** Everything that a run knows before its first check. Null: the options do not name that part. */
export interface Discovery {
  readonly facts: Facts;
  readonly api: ReachedApi | null;
  readonly control: ReachedControl | null;
  readonly receiver: ReachedReceiver | null;
}

/** Reaches everything that the plan names, then discovers keys and ids. Throws `Unreachable`. */
export async function discover(run: RunContext): Promise<Discovery> {
  const { plan, now } = run;
  const context = (keys: Facts['keys']): CheckContext =>
    readingContext(run, { facts: { keys, fixtures: {} }, receiverClockOffsetMilliseconds: null });

  // A given key belongs to an existing tenant, and a new world would not contain that tenant.
  const fresh = plan.allowWrites && plan.keys.main === undefined;
  const control =
    plan.control === null ? null : await reachControl(plan.control.url, context({}).control, fresh);
  const world = control?.world ?? null;
  const firstKeys = discoverKeys(plan, world);
  const api =
    plan.baseUrl === null
      ? null
      : await reachApi(plan.baseUrl, context(firstKeys).api, firstKeys.main !== undefined, now);
  const receiver =
    plan.receiver === null
      ? null
      : await reachReceiver(plan.receiver.url, context({}).receiver, now);

  const tenantId = api?.identity?.tenantId;
  // The key cannot see the ids of another tenant's world.
  const ours = tenantId === undefined || world?.tenantId === tenantId ? world : null;
  const keys = discoverKeys(plan, ours);
  const fixtures = await discoverFixtures(plan, ours, keys, context(keys).api);
  return { facts: { keys, fixtures }, api, control, receiver };
}

/** Given keys override the keys of the world. */
function discoverKeys(plan: Plan, world: World | null): Facts['keys'] {
  const given = factsFrom(plan.keys, 'given');
  if (world === null) return given;
  const { wildcard, reviewer, ocr, workflow, otherTenant } = world.keys;
  const known = { main: wildcard, reviewer, ocr, workflow, otherTenant };
  return { ...factsFrom(known, 'control interface'), ...given };
}

/** Given ids override the ids of the world; without a world, ids come from the lists. */
async function discoverFixtures(
  plan: Plan,
  world: World | null,
  keys: Facts['keys'],
  api: ApiClient,
): Promise<Facts['fixtures']> {
  const given = factsFrom(plan.fixtures, 'fixtures.json');
  if (world !== null) return { ...fixturesOf(world), ...given };
  if (plan.baseUrl === null || keys.main === undefined) return given;
  const available = { app: plan.appUrl !== null, otherTenant: keys.otherTenant !== undefined };
  return { ...(await walkLists(api, available)), ...given };
}

function fixturesOf(world: World): Facts['fixtures'] {
  const known: Partial<Record<FixtureName, string | undefined>> = {};
  for (const name of FIXTURE_NAMES) known[name] = world.fixtures[name];
  return factsFrom(known, 'control interface');
}
