import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { seeded } from './seeded.ts';

const readme = readFileSync(
  new URL('../../../../server-reference/README.md', import.meta.url),
  'utf8',
);
const section = /\n## The sample data\n([^]*?)\n## /.exec(readme)?.[1] ?? '';

test('the README has the number of resources of each kind', () => {
  const { state, world } = seeded();
  const count = (records: Record<string, { id: string; tenantId?: string }>): number =>
    Object.values(records).filter(
      ({ id, tenantId }) => (tenantId ?? state.runs[id]?.tenantId) === world.tenantId,
    ).length;
  const documented = [...section.matchAll(/^\| ([a-z ]+?) +\| (\d+) /gm)].map(
    ([, what, many]) => [what, Number(many)] as const,
  );
  expect(Object.fromEntries(documented)).toEqual({
    automations: count(state.automations),
    folders: count(state.folders),
    agents: count(state.agents),
    examples: count(state.examples),
    experiments: count(state.experiments),
    'review requests': count(state.reviewRequests),
    runs: count(state.runs),
    'run reviews': count(state.runReviews),
    files: count(state.files),
    uploads: count(state.uploads),
    templates: count(state.templates),
    keys: Object.keys(world.keys).length,
  });
});
