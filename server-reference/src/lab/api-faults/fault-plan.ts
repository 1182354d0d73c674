import type { KeyedRandom } from '../../platform/store/seed.ts';
import { isSpent, matches, strikes } from './fault.ts';
import type { FaultEffect, FaultOrder, FaultProgress, FaultTarget } from './fault.ts';

/** More than these are not planted at once. */
export const MOST_FAULTS = 100;
/** Of the requests that a fault has struck, the last so many are told. */
export const HITS_TOLD = 100;

/** One request that a fault has struck. */
export interface FaultHit {
  readonly at: string;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
}

/** A fault that lies in wait. */
export interface PlantedFault extends FaultOrder {
  readonly id: string;
  readonly plantedAt: string;
  /** How many requests matched, and how many it struck. */
  readonly matched: number;
  readonly hits: number;
  /** The last ones it struck, oldest first. */
  readonly struck: readonly FaultHit[];
}

/** What befalls a request, and by which fault. */
export interface Struck {
  readonly faultId: string;
  readonly effect: FaultEffect;
}

/** The faults that are planted; kept in memory alone. */
export interface FaultPlan {
  list(): readonly PlantedFault[];
  /**
   * Where there is no room, the oldest that is spent is forgotten for it.
   *
   * @returns the fault, or null when {@link MOST_FAULTS} lie in wait already
   */
  plant(order: FaultOrder, now: number): PlantedFault | null;
  /** @returns whether there was a fault with this id */
  remove(id: string): boolean;
  clear(): void;
  /** What befalls a request. Every fault counts it that it matches; the first that strikes decides. */
  strike(target: FaultTarget, requestId: string, now: number): Struck | null;
}

/**
 * @param random - by which faults with a probability decide
 * @param changed - called after each request that was struck, and when something is removed
 */
export function createFaultPlan(random: KeyedRandom, changed: () => void): FaultPlan {
  let planted = 0;
  const faults = new Map<string, PlantedFault>();

  /** @returns whether there was one */
  function forgetSpent(now: number): boolean {
    const spent = [...faults.values()].find((one) => isSpent(one, progressOf(one, now)));
    if (spent === undefined) return false;
    faults.delete(spent.id);
    changed();
    return true;
  }

  return {
    list: () => [...faults.values()],
    plant(order, now) {
      if (faults.size >= MOST_FAULTS && !forgetSpent(now)) return null;
      planted += 1;
      const id = `fault_${planted}`;
      const plantedAt = new Date(now).toISOString();
      const fault: PlantedFault = { id, ...order, plantedAt, matched: 0, hits: 0, struck: [] };
      faults.set(id, fault);
      return fault;
    },
    remove(id) {
      const wasPlanted = faults.delete(id);
      changed();
      return wasPlanted;
    },
    clear() {
      faults.clear();
      changed();
    },
    strike(target, requestId, now) {
      let decided: Struck | null = null;
      for (const fault of faults.values()) {
        if (!matches(fault, target)) continue;
        const matched = fault.matched + 1;
        const progress = { ...progressOf(fault, now), matched };
        const draw = random(`${fault.id}:${matched}`);
        const hits = decided === null && strikes(fault, progress, draw);
        faults.set(fault.id, { ...fault, matched });
        if (!hits) continue;
        decided = { faultId: fault.id, effect: fault.effect };
        const { method, path } = target;
        const hit: FaultHit = { at: new Date(now).toISOString(), requestId, method, path };
        const struck = [...fault.struck, hit].slice(-HITS_TOLD);
        faults.set(fault.id, { ...fault, matched, hits: fault.hits + 1, struck });
      }
      if (decided !== null) changed();
      return decided;
    },
  };
}

function progressOf({ matched, hits, plantedAt }: PlantedFault, now: number): FaultProgress {
  return { matched, hits, elapsedMilliseconds: now - Date.parse(plantedAt) };
}
