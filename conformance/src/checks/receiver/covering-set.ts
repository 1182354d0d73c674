import type { SignatureVector } from '@hookproof/spec/vectors';

/** The first `times` vectors with each flag, and all vectors without a flag: further ones show the same bugs again. */
export function coveringSet(
  vectors: readonly SignatureVector[],
  times: number,
): readonly SignatureVector[] {
  const counts = new Map<string, number>();
  return vectors.filter(({ flags }) => {
    const adds = flags.some((flag) => (counts.get(flag) ?? 0) < times);
    if (!adds && flags.length > 0) return false;
    for (const flag of flags) counts.set(flag, (counts.get(flag) ?? 0) + 1);
    return true;
  });
}
