import type { ApiClient } from '../clients/api-client.ts';
import type { World } from '../clients/control-client.ts';
import { FIXTURE_NAMES, factsFrom } from '../options/facts.ts';
import type { Facts, FixtureName } from '../options/facts.ts';
import type { Plan } from '../options/plan.ts';
import { walkLists } from './walk-lists.ts';

/** The keys of a run: given ones win over those of the world. */
export function discoverKeys(plan: Plan, world: World | null): Facts['keys'] {
  const given = factsFrom(plan.keys, 'given');
  if (world === null) return given;
  const { wildcard, reviewer, ocr, workflow, otherTenant } = world.keys;
  const known = { main: wildcard, reviewer, ocr, workflow, otherTenant };
  return { ...factsFrom(known, 'control interface'), ...given };
}

/** The ids of a run: given ones win over those of the world; without a world, the lists are walked. */
export async function discoverFixtures(
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
