import type { State } from '../../platform/state/state.ts';
import type { World } from '../../platform/state/world.ts';
import { nameFixtures } from './name-fixtures.ts';
import { REVIEW_PLANS } from './review-plans.ts';
import { OTHER_TENANT_RUN_PLANS, RUN_PLANS } from './run-plans.ts';
import { seedContents } from './seed-contents.ts';
import { seedApiKey, seedTenant } from './seed-tenant.ts';
import { startSeeding } from './seeding.ts';

/**
 * Adds a world to the state: a tenant and its neighbour with automations, folders, agents, templates,
 * datasets, experiments, review requests, files, uploads, runs and API keys. Nothing is shared with other
 * worlds but the bytes of files: see `putAssets`. Call it inside a commit.
 *
 * The ids and the keys follow from the seed of the state and from what was drawn before, so the first
 * world of a given seed has the same keys on every machine.
 *
 * @param now - milliseconds since the epoch; the world's past is laid before this moment
 */
export function createWorld(state: State, now: number): World {
  const seeding = startSeeding(state, now);
  const id = seeding.id('world_');
  const tenant = seedTenant(seeding, id, 'Brookside Freight', ['Ines Aalto', 'Mats Lindqvist']);
  const own = seedContents(seeding, id, tenant, { reviews: REVIEW_PLANS, runs: RUN_PLANS });
  const neighbour = seedTenant(seeding, id, 'Harbour Insurance', ['Tomas Reyes', 'Nadia Okoro']);
  const other = seedContents(seeding, id, neighbour, {
    reviews: REVIEW_PLANS.slice(0, 3),
    runs: OTHER_TENANT_RUN_PLANS,
  });
  const world: World = {
    id,
    tenantId: tenant.id,
    keys: {
      wildcard: seedApiKey(seeding, tenant, 'Everything', []),
      reviewer: seedApiKey(seeding, tenant, 'Reviewer', ['dataset_review:read']),
      ocr: seedApiKey(seeding, tenant, 'OCR station', ['ocr:full']),
      workflow: seedApiKey(seeding, tenant, 'Workflow reader', ['workflow:read']),
      revoked: seedApiKey(seeding, tenant, 'Old ERP link', [], seeding.hoursAgo(100)),
      otherTenant: seedApiKey(seeding, neighbour, 'Everything', []),
    },
    fixtures: nameFixtures(state, own, other),
  };
  state.worlds[id] = world;
  return world;
}
