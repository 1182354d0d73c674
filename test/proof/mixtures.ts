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
const MAX_VARIANTS = 32;

/**
 * Deals the variants of a side to seeded mixtures, each to one. A variant goes to the mixture with the most freedoms
 * that its own has not met.
 */
export function mixturesOf(side: Side, variants: readonly Variant[]): Mixture[] {
  const mixtures: Variant[][] = [];
  const met = new Set<Pair>();
  const gain = (parts: readonly Variant[], { takes }: Variant): number =>
    parts.filter((part) => !met.has(pair(part.takes, takes))).length;
  for (const variant of mostRivalsFirst(variants.filter((one) => one.side === side))) {
    const [best = []] = mixtures
      .filter((parts) => parts.length < MAX_VARIANTS && !parts.some(isRivalOf(variant)))
      .toSorted(
        (one, other) => gain(other, variant) - gain(one, variant) || one.length - other.length,
      );
    if (best.length === 0) mixtures.push(best);
    for (const { takes } of best) met.add(pair(takes, variant.takes));
    best.push(variant);
  }
  return mixtures.map((parts, index) => ({
    name: `mixture ${index + 1} of the ${side} side`,
    seed: index + 1,
    side,
    variants: parts,
  }));
}

/** Whether two variants change the same, so that one implementation cannot be both. */
function isRivalOf({ takes, at }: Variant): (other: Variant) => boolean {
  return (other) =>
    other.takes === takes && (at === undefined || other.at === undefined || other.at === at);
}

/** A variant that fits few mixtures comes first; otherwise in an order that is the same for the same ids. */
function mostRivalsFirst(variants: readonly Variant[]): Variant[] {
  return variants
    .map((variant) => ({
      variant,
      rivals: variants.filter(isRivalOf(variant)).length,
      shuffle: createHash('sha256').update(variant.id).digest('hex'),
    }))
    .toSorted((one, other) => other.rivals - one.rivals || one.shuffle.localeCompare(other.shuffle))
    .map(({ variant }) => variant);
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
