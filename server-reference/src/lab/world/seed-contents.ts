import type { ReviewPlan } from './review-plans.ts';
import type { RunPlan } from './run-plans.ts';
import { seedAgents } from './seed-agents.ts';
import { seedDatasets } from './seed-datasets.ts';
import { seedExperiments } from './seed-experiments.ts';
import { seedFiles, seedUploads } from './seed-files.ts';
import { seedReviews } from './seed-reviews.ts';
import { seedRuns } from './seed-runs.ts';
import { seedTemplates } from './seed-templates.ts';
import type { SeededTenant } from './seed-tenant.ts';
import { seedWorkflows } from './seed-workflows.ts';
import type { Seeding } from './seeding.ts';

/** The ids of what a tenant has, by name, or in the order of the plans. */
export interface SeededContents {
  /** Of workflows and agents, by slug. */
  readonly automations: ReadonlyMap<string, string>;
  /** By path. */
  readonly folders: ReadonlyMap<string, string>;
  readonly templates: readonly string[];
  /** By `<slug of the automation>/<name>`. */
  readonly examples: ReadonlyMap<string, string>;
  readonly experiments: ReadonlyMap<string, string>;
  readonly reviews: readonly string[];
  /** By file name. */
  readonly files: ReadonlyMap<string, string>;
  readonly uploads: ReadonlyMap<string, string>;
  readonly runs: readonly string[];
}

/** Fills a tenant. Of review requests and runs there are as many as there are plans. */
export function seedContents(
  seeding: Seeding,
  worldId: string,
  tenant: SeededTenant,
  plans: { readonly reviews: readonly ReviewPlan[]; readonly runs: readonly RunPlan[] },
): SeededContents {
  const { workflowIds, folderIds } = seedWorkflows(seeding, tenant);
  const files = seedFiles(seeding, tenant);
  const automations = new Map([...workflowIds, ...seedAgents(seeding, tenant)]);
  return {
    automations,
    folders: folderIds,
    templates: seedTemplates(seeding, tenant),
    examples: seedDatasets(seeding, tenant, automations),
    experiments: seedExperiments(seeding, tenant, automations),
    reviews: seedReviews(seeding, tenant, automations, plans.reviews),
    files,
    uploads: seedUploads(seeding, tenant, files),
    runs: seedRuns(seeding, worldId, tenant, automations, plans.runs),
  };
}
