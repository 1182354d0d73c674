import type { World } from '../clients/control-client.ts';
import { FIXTURE_NAMES, factsFrom } from '../options/facts.ts';
import type { Facts, FixtureName } from '../options/facts.ts';

/** The keys and fixtures of a world. */
export function worldFacts({ keys, fixtures }: World): Facts {
  const { wildcard, reviewer, ocr, workflow, otherTenant } = keys;
  const source = 'control interface';
  const known = FIXTURE_NAMES.map((name) => [name, fixtures[name]]);
  return {
    keys: factsFrom({ main: wildcard, reviewer, ocr, workflow, otherTenant }, source),
    fixtures: factsFrom<FixtureName>(Object.fromEntries(known), source),
  };
}
