import type { SeededTenant } from './seed-tenant.ts';
import type { Seeding } from './seeding.ts';

const EXPERIMENTS = [
  { name: 'New carrier list', automation: 'delivery-note-reader', hoursAgo: 30 },
  { name: 'Second model for hand-writing', automation: 'delivery-note-reader', hoursAgo: 170 },
  { name: 'Tolerance of two per cent', automation: 'invoice-matcher', hoursAgo: 95 },
  { name: 'Shorter prompts', automation: 'freight-quote', hoursAgo: 410 },
];

/** Adds the experiments of a tenant; returns their ids by name. */
export function seedExperiments(
  seeding: Seeding,
  tenant: SeededTenant,
  automationIds: ReadonlyMap<string, string>,
): Map<string, string> {
  return new Map(
    EXPERIMENTS.map(({ name, automation, hoursAgo }) => {
      const id = seeding.id('exp_');
      seeding.state.experiments[id] = {
        id,
        tenantId: tenant.id,
        automationId: automationIds.get(automation) ?? '',
        name,
        createdAt: seeding.hoursAgo(hoursAgo),
      };
      return [name, id];
    }),
  );
}
