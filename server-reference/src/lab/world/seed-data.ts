import { readFileSync } from 'node:fs';

import type { SeedData } from './generated/seed-data.ts';

/** The folder with the seed data, its schema and its assets. */
export const SEED_FOLDER: URL = new URL('../../../world/', import.meta.url);

/** The seed data of every world, read once. `world/schema.json` describes it. */
export const SEED_DATA: SeedData = {
  tenants: read('tenants'),
  automations: read('automations'),
  templates: read('templates'),
  datasets: read('datasets'),
  experiments: read('experiments'),
  reviews: read('reviews'),
  files: read('files'),
  runs: read('runs'),
};

function read<Name extends keyof SeedData>(name: Name): SeedData[Name] {
  return JSON.parse(readFileSync(new URL(`${name}.json`, SEED_FOLDER), 'utf8'));
}
