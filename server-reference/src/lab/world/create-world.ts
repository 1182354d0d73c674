import type { EmptyWorld, WorldContents } from '@hookproof/spec/control';

import type { WorldRecord } from '../../store/world.ts';
import type { State } from '../../store/state.ts';
import type { SeedReview, SeedRun, SeedTenant } from './generated/seed-data.ts';
import { deleteWorld } from './delete-world.ts';
import { fixturesOf } from './fixtures.ts';
import { seedAgents, seedFolders, seedWorkflows } from './seed-automations.ts';
import { SEED_DATA } from './seed-data.ts';
import { seedContents } from './seed-contents.ts';
import { seedDatasets, seedExperiments } from './seed-datasets.ts';
import { seedFiles, seedUploads } from './seed-files.ts';
import { seedReviews } from './seed-reviews.ts';
import { seedRuns } from './seed-runs.ts';
import { seedTemplates } from './seed-templates.ts';
import { seedApiKeys, seedTenant } from './seed-tenant.ts';
import { startSeeding } from './seeding.ts';
import type { SeededTenant, Seeding, TenantContents } from './seeding.ts';

interface WorldOptions {
  /** Marks the world in the list of worlds. Default: no mark. */
  readonly label?: string | undefined;
  /** Whether the world is left out of the data file. Default false. */
  readonly temporary?: boolean | undefined;
  /** What the main tenant has. Default: the sample data. */
  readonly world?: WorldContents | EmptyWorld | undefined;
}

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
  { label, temporary = false, world: contents }: WorldOptions = {},
): WorldRecord {
  const seeding = startSeeding(state, now);
  if (temporary) state.temporaryWorlds.add(seeding.worldId);
  const seeded = contents === undefined ? seedSample(seeding) : seedGiven(seeding, now, contents);
  const { tenant, otherTenant, fixtures } = seeded;
  const world: WorldRecord = {
    id: seeding.worldId,
    tenantId: tenant.id,
    ...(label === undefined ? {} : { label }),
    ...(temporary ? { temporary } : {}),
    keys: seedApiKeys(seeding, tenant, otherTenant),
    fixtures,
  };
  state.worlds.add(world);
  return world;
}

interface Seeded extends Pick<WorldRecord, 'fixtures'> {
  readonly tenant: SeededTenant;
  readonly otherTenant: SeededTenant;
}

function seedSample(seeding: Seeding): Seeded {
  const { tenants, reviews, runs } = SEED_DATA;
  const own = seedSampleTenant(seeding, tenants.tenant, reviews, runs.tenant);
  const shared = reviews.filter(({ inBothTenants }) => inBothTenants);
  const other = seedSampleTenant(seeding, tenants.otherTenant, shared, runs.otherTenant);
  const fixtures = fixturesOf(seeding.state, own, other);
  return { tenant: own.tenant, otherTenant: other.tenant, fixtures };
}

function seedGiven(seeding: Seeding, now: number, contents: WorldContents | EmptyWorld): Seeded {
  const { tenants } = SEED_DATA;
  const tenant = seedTenant(seeding, tenants.tenant);
  const otherTenant = seedTenant(seeding, tenants.otherTenant);
  const given = contents === 'empty' ? {} : contents;
  try {
    return { tenant, otherTenant, fixtures: seedContents(seeding, tenant, now, given) };
  } catch (error) {
    // Contents that refer to what they do not have are found when a part is in the state already.
    deleteWorld(seeding.state, seeding.worldId);
    throw error;
  }
}

/** Fills one tenant. The ids of a seed depend on the order of these calls. */
function seedSampleTenant(
  seeding: Seeding,
  data: SeedTenant,
  reviewData: readonly SeedReview[],
  runData: readonly SeedRun[],
): TenantContents {
  const tenant = seedTenant(seeding, data);
  const folders = seedFolders(seeding, tenant);
  const workflows = seedWorkflows(seeding, tenant, folders);
  const files = seedFiles(seeding, tenant);
  const agents = seedAgents(seeding, tenant);
  const automations = new Map([...workflows, ...agents]);
  const templates = seedTemplates(seeding, tenant);
  const examples = seedDatasets(seeding, tenant, automations);
  const experiments = seedExperiments(seeding, tenant, automations);
  const reviews = seedReviews(seeding, tenant, automations, reviewData);
  const uploads = seedUploads(seeding, tenant, files);
  const runs = seedRuns(seeding, { tenant, automations, examples, experiments }, runData);
  return {
    tenant,
    folders,
    automations,
    files,
    templates,
    examples,
    experiments,
    reviews,
    uploads,
    runs,
  };
}
