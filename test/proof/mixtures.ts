import { createHash } from 'node:crypto';
import type { Side } from '@hookproof/conformance';
import type { Variant } from '@hookproof/conformance/proof';

/** Several variants as one implementation. */
export interface Mixture {
  readonly name: string;
  readonly seed: number;
  readonly side: Side;
  readonly variants: readonly Variant[];
}

/** Two freedoms, sorted. */
type Pair = string;

/** Of many more variants, some respond before others can. */
const MAX_VARIANTS = 14;

/**
 * Deals the variants of a side to seeded mixtures: each variant to at least one, at most one variant of a freedom to
 * each. A variant goes to the mixture with the most freedoms that its own has not met.
 */
export function mixturesOf(side: Side, variants: readonly Variant[]): Mixture[] {
  const ofSide = mostOfOneFreedomFirst(shuffled(variants.filter((one) => one.side === side)));
  const mixtures = Array.from({ length: mixturesFor(ofSide) }, (_none, index) => {
    const seed = index + 1;
    return {
      name: `mixture ${seed} of the ${side} side`,
      seed,
      side,
      variants: new Array<Variant>(),
    };
  });
  const met = new Set<Pair>();
  const gain = (parts: readonly Variant[], { takes }: Variant): number =>
    parts.filter((part) => !met.has(pair(part.takes, takes))).length;
  const deal = (parts: Variant[], variant: Variant): void => {
    for (const { takes } of parts) met.add(pair(takes, variant.takes));
    parts.push(variant);
  };
  // A freedom with many variants needs a place in many mixtures, so it comes first.
  for (const variant of ofSide) {
    const places = mixtures.map(({ variants: parts }) => parts).filter(takesIn(variant));
    const [best] = places.toSorted(
      (one, other) => gain(other, variant) - gain(one, variant) || one.length - other.length,
    );
    if (best !== undefined) deal(best, variant);
  }
  for (const { variants: parts } of mixtures) {
    while (parts.length < MAX_VARIANTS) {
      const choices = ofSide.filter((variant) => takesIn(variant)(parts));
      const [best] = choices.toSorted((one, other) => gain(parts, other) - gain(parts, one));
      if (best === undefined || gain(parts, best) === 0) break;
      deal(parts, best);
    }
  }
  return mixtures;
}

/** As many as the freedom with the most variants needs, and with room for all: one place in each stays free at first. */
function mixturesFor(variants: readonly Variant[]): number {
  return Math.max(
    Math.ceil(variants.length / (MAX_VARIANTS - 1)),
    ...variantsOfFreedoms(variants).values(),
  );
}

/** Returns whether a mixture has room for a variant. */
function takesIn({ takes }: Variant): (parts: readonly Variant[]) => boolean {
  return (parts) => parts.length < MAX_VARIANTS && parts.every((part) => part.takes !== takes);
}

/** The pairs of freedoms of one side that no mixture contains. */
export function unmetPairs(variants: readonly Variant[], mixtures: readonly Mixture[]): Pair[] {
  const met = new Set(mixtures.flatMap((mixture) => pairsOf(mixture.variants)));
  return pairsOf(variants).filter((one) => !met.has(one));
}

function pairsOf(variants: readonly Variant[]): Pair[] {
  const pairs = variants.flatMap((one, index) =>
    variants
      .slice(index + 1)
      .filter((other) => other.side === one.side && other.takes !== one.takes)
      .map((other) => pair(one.takes, other.takes)),
  );
  return [...new Set(pairs)];
}

function pair(one: string, other: string): Pair {
  return [one, other].toSorted().join(' + ');
}

/** How many variants each freedom has. */
function variantsOfFreedoms(variants: readonly Variant[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { takes } of variants) counts.set(takes, (counts.get(takes) ?? 0) + 1);
  return counts;
}

function mostOfOneFreedomFirst(variants: readonly Variant[]): Variant[] {
  const counts = variantsOfFreedoms(variants);
  return variants.toSorted(
    (one, other) =>
      (counts.get(other.takes) ?? 0) - (counts.get(one.takes) ?? 0) ||
      one.takes.localeCompare(other.takes),
  );
}

/** The same order for the same ids. */
function shuffled(variants: readonly Variant[]): Variant[] {
  const keyed = variants.map((variant) => ({
    variant,
    key: createHash('sha256').update(variant.id).digest('hex'),
  }));
  return keyed
    .toSorted((one, other) => one.key.localeCompare(other.key))
    .map(({ variant }) => variant);
}
