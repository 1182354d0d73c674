/** Every way in which a delivery can be made to go wrong. */
export const PATHOLOGY_NAMES = [
  'duplicate',
  'reorder',
  'delay',
  'drop-then-redeliver',
  'stale-timestamp',
  'future-timestamp',
  'wrong-secret',
  'tampered-body',
  'truncated-body',
  'slow-drip',
] as const;

export type PathologyName = (typeof PATHOLOGY_NAMES)[number];

interface Parameters {
  duplicate: { readonly copies: number; readonly apartMilliseconds: number };
  reorder: { readonly holdMilliseconds: number };
  delay: { readonly milliseconds: number };
  'drop-then-redeliver': object;
  'stale-timestamp': { readonly seconds: number };
  'future-timestamp': { readonly seconds: number };
  'wrong-secret': object;
  'tampered-body': object;
  /** Without `bytes`: half of the body. */
  'truncated-body': { readonly bytes?: number };
  'slow-drip': { readonly milliseconds: number; readonly pieces: number };
}

const DEFAULTS: { readonly [Name in PathologyName]: Parameters[Name] } = {
  duplicate: { copies: 1, apartMilliseconds: 0 },
  reorder: { holdMilliseconds: 60_000 },
  delay: { milliseconds: 5_000 },
  'drop-then-redeliver': {},
  'stale-timestamp': { seconds: 600 },
  'future-timestamp': { seconds: 600 },
  'wrong-secret': {},
  'tampered-body': {},
  'truncated-body': {},
  'slow-drip': { milliseconds: 5_000, pieces: 10 },
};

/** What befalls a delivery on its way. */
export type Affliction = {
  readonly [Name in PathologyName]: { readonly name: Name } & Parameters[Name];
}[PathologyName];

/** Which deliveries a pathology is meant for: those that are like this in everything that is named. */
export interface PathologyScope {
  readonly endpointId?: string;
  readonly runId?: string;
  /** It strikes at most so many deliveries; without it, all of the run's. */
  readonly deliveries?: number;
}

/** A pathology as it is ordered: what is left out has a default. */
export type PathologyOrder = PathologyScope &
  {
    readonly [Name in PathologyName]: { readonly name: Name } & Partial<Parameters[Name]>;
  }[PathologyName];

/** A pathology with everything filled in. */
export type Pathology = PathologyScope & Affliction;

/** A delivery, as far as pathologies look at it. */
export interface PathologyTarget {
  readonly endpointId: string;
  readonly runId: string | null;
}

/** Without a run it strikes one delivery, and `reorder` two, since one alone has no order. */
export function fillDefaults(order: PathologyOrder): Pathology {
  const deliveries =
    order.runId === undefined ? { deliveries: order.name === 'reorder' ? 2 : 1 } : {};
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the defaults are those of this name
  return { ...deliveries, ...DEFAULTS[order.name], ...order } as Pathology;
}

/** Whether a delivery is one that the pathology is meant for. */
export function matches({ endpointId, runId }: PathologyScope, target: PathologyTarget): boolean {
  return (
    (endpointId === undefined || endpointId === target.endpointId) &&
    (runId === undefined || runId === target.runId)
  );
}

/** Whether the pathology strikes one more delivery, after so many. */
export function hasRoom({ deliveries }: PathologyScope, hits: number): boolean {
  return deliveries === undefined || hits < deliveries;
}

/** Whether the pathology strikes no more, whatever comes. */
export function isSpent(planted: PathologyScope & { readonly hits: number }): boolean {
  return !hasRoom(planted, planted.hits);
}
