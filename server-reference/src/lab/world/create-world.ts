import type { EmptyWorld, WorldContents } from '@hookproof/spec/control';

import type { WorldRecord } from '../../store/world.ts';
import type { State } from '../../store/state.ts';
import { deleteWorld } from './delete-world.ts';
import { addRecords, sampleRecords } from './sample.ts';
import type { SampleRecords } from './sample.ts';
import { seedContents } from './seed-contents.ts';

interface WorldOptions {
  /** Marks the world in the list of worlds. Default: no mark. */
  readonly label?: string | undefined;
  /** What the main tenant has. Default: the sample data. */
  readonly world?: WorldContents | EmptyWorld | undefined;
}

/** What every world has, beside itself. */
const TENANT_TABLES = ['tenants', 'users', 'apiKeys'] as const;

/**
 * Adds a world to the state: two tenants with their users, API keys and contents. Worlds share only the bytes of
 * files: see `putAssets`.
 *
 * Ids and keys depend on the seed of the state and on the ids drawn before. So the first world of a seed
 * has the same ids and keys on every machine.
 *
 * @param now - milliseconds since the epoch; every time in the world is counted back from it
 * @throws {ApiError} `invalid_value` for contents that refer to what they do not have
 */
export function createWorld(
  state: State,
  now: number,
  { label, world: contents }: WorldOptions = {},
): WorldRecord {
  const sample = sampleRecords(state, now);
  const { worlds, ...tables } = sample;
  const [{ id, tenantId, keys, fixtures }] = worlds;
  if (contents === undefined) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys are those of the sample data
    addRecords(state, sample, Object.keys(tables) as (keyof typeof tables)[]);
  } else addRecords(state, sample, TENANT_TABLES);
  const world: WorldRecord = {
    id,
    tenantId,
    ...(label === undefined ? {} : { label }),
    keys,
    fixtures: contents === undefined ? fixtures : givenContents(state, sample, now, contents),
  };
  state.worlds.add(world);
  return world;
}

/** Fills the main tenant. */
function givenContents(
  state: State,
  { worlds: [world], users }: SampleRecords,
  now: number,
  contents: WorldContents | EmptyWorld,
): WorldRecord['fixtures'] {
  if (contents === 'empty') return {};
  const [user, reviewer = user] = users.filter(({ tenantId }) => tenantId === world.tenantId);
  if (user === undefined || reviewer === undefined) throw new Error('The tenant has no user.');
  try {
    const tenant = { id: world.tenantId, worldId: world.id, userId: user.id, reviewer };
    return seedContents(state, tenant, now, contents);
  } catch (error) {
    // Contents that refer to what they do not have are found when a part is in the state already.
    deleteWorld(state, world.id);
    throw error;
  }
}
