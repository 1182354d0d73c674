import type { DeliveryRecord } from '../../platform/state/deliveries.ts';
import { fillDefaults, isSpent, matches } from './delivery-fault.ts';
import type { Pathology, PathologyOrder } from './delivery-fault.ts';

/** More than these are not planted at once. */
export const MOST_PATHOLOGIES = 100;
/** Of the deliveries that a pathology has struck, the last so many are told. */
export const STRUCK_TOLD = 100;

/** One delivery that a pathology has struck. */
export interface PathologyHit {
  readonly at: string;
  readonly deliveryId: string;
  readonly eventId: string;
}

/** A pathology that lies in wait. */
export type PlantedPathology = Pathology & {
  readonly id: string;
  readonly plantedAt: string;
  /** How many deliveries it has struck. */
  readonly hits: number;
  /** The last ones of them, oldest first. */
  readonly struck: readonly PathologyHit[];
};

/** The pathologies that are planted; kept in memory alone. */
export interface PathologyPlan {
  list(): readonly PlantedPathology[];
  find(id: string): PlantedPathology | undefined;
  /** Whether so many more can be planted: {@link MOST_PATHOLOGIES} that are not spent lie in wait at most. */
  hasRoomFor(more: number): boolean;
  /**
   * Where there is no room, the oldest that is spent is forgotten for it.
   *
   * @throws {RangeError} when none is spent; ask {@link hasRoomFor} before
   */
  plant(order: PathologyOrder, now: number): PlantedPathology;
  /** What it has struck stays struck. @returns whether there was a pathology with this id */
  remove(id: string): boolean;
  clear(): void;
  /**
   * What befalls the next attempt of a delivery: of those that match and have room, the one that was
   * planted first. None strikes a delivery twice.
   */
  strike(delivery: DeliveryRecord, now: number): PlantedPathology | null;
  /** Whether a pathology that is still planted would strike this delivery. */
  isAbout(id: string, delivery: DeliveryRecord): boolean;
}

interface Entry {
  planted: PlantedPathology;
  /** Held weakly: a delivery that the server forgets is forgotten here. */
  readonly struck: WeakSet<DeliveryRecord>;
}

/** @param changed - called after each delivery that was struck, and when something is removed */
export function createPathologyPlan(changed: () => void): PathologyPlan {
  let count = 0;
  const entries = new Map<string, Entry>();

  function list(): PlantedPathology[] {
    return [...entries.values()].map(({ planted }) => planted);
  }

  function strikes({ planted, struck }: Entry, delivery: DeliveryRecord): boolean {
    return !isSpent(planted) && matches(planted, delivery) && !struck.has(delivery);
  }

  /** @returns whether there was one */
  function forgetSpent(): boolean {
    const spent = list().find(isSpent);
    if (spent === undefined) return false;
    entries.delete(spent.id);
    changed();
    return true;
  }

  return {
    list,
    find: (id) => entries.get(id)?.planted,
    hasRoomFor: (more) => list().filter((one) => !isSpent(one)).length + more <= MOST_PATHOLOGIES,
    plant(order, now) {
      if (entries.size >= MOST_PATHOLOGIES && !forgetSpent()) {
        throw new RangeError('there is no room for it');
      }
      count += 1;
      const facts = { plantedAt: new Date(now).toISOString(), hits: 0, struck: [] };
      const planted = { id: `pathology_${count}`, ...fillDefaults(order), ...facts };
      entries.set(planted.id, { planted, struck: new WeakSet() });
      return planted;
    },
    remove(id) {
      const wasPlanted = entries.delete(id);
      changed();
      return wasPlanted;
    },
    clear() {
      entries.clear();
      changed();
    },
    strike(delivery, now) {
      for (const entry of entries.values()) {
        if (!strikes(entry, delivery)) continue;
        entry.struck.add(delivery);
        entry.planted = afterHit(entry.planted, delivery, now);
        changed();
        return entry.planted;
      }
      return null;
    },
    isAbout(id, delivery) {
      const entry = entries.get(id);
      return entry !== undefined && strikes(entry, delivery);
    },
  };
}

function afterHit(
  planted: PlantedPathology,
  { id: deliveryId, eventId, endpointId }: DeliveryRecord,
  now: number,
): PlantedPathology {
  const hit: PathologyHit = { at: new Date(now).toISOString(), deliveryId, eventId };
  const struck = [...planted.struck, hit].slice(-STRUCK_TOLD);
  const after = { ...planted, hits: planted.hits + 1, struck };
  // Two deliveries have an order only where they arrive at the same endpoint.
  const anywhere = planted.endpointId === undefined && planted.runId === undefined;
  return planted.name === 'reorder' && anywhere ? { ...after, endpointId } : after;
}
