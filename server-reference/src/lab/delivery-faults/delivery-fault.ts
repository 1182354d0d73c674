import type { DeliveryFaultName, DeliveryFaultOrder } from '@hookproof/spec/control';

export type { DeliveryFaultName, DeliveryFaultOrder };

type OrderOf<Name> = Extract<DeliveryFaultOrder, { name: Name }>;

/** The parameters of a fault. All have defaults here, except `bytes`, whose default depends on the body. */
type Parameters<Name extends DeliveryFaultName> = Name extends 'truncated-body'
  ? Pick<OrderOf<'truncated-body'>, 'bytes'>
  : Required<Omit<OrderOf<Name>, 'name' | keyof DeliveryFaultScope>>;

/** The default of every parameter, as `control.yaml` states it. */
export const DEFAULTS: { readonly [Name in DeliveryFaultName]: Readonly<Parameters<Name>> } = {
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

/** A delivery fault with its parameters. */
export type DeliveryFault = {
  readonly [Name in DeliveryFaultName]: { readonly name: Name } & Readonly<Parameters<Name>>;
}[DeliveryFaultName];

/** The deliveries that a fault matches, and its end. Absent members match all. */
type DeliveryFaultScope = Readonly<
  Pick<
    DeliveryFaultOrder,
    'endpointId' | 'runId' | 'eventId' | 'deliveries' | 'expiresInMilliseconds'
  >
>;

/** A delivery fault with its defaults filled in. */
export type ScopedDeliveryFault = DeliveryFaultScope & DeliveryFault;

/** The properties of a delivery that a fault can match. */
interface DeliveryFaultTarget {
  readonly endpointId: string;
  readonly runId: string | null;
  readonly eventId: string;
}

/** Fills in the defaults. Without a run or an event, `deliveries` is 1, or 2 for `reorder`. */
export function fillDefaults(order: DeliveryFaultOrder): ScopedDeliveryFault {
  const isUnlimited = order.runId !== undefined || order.eventId !== undefined;
  const deliveries = isUnlimited ? {} : { deliveries: order.name === 'reorder' ? 2 : 1 };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the defaults are those of this name
  return { ...deliveries, ...DEFAULTS[order.name], ...order } as ScopedDeliveryFault;
}

/** Returns whether a fault matches a delivery. */
export function matches(
  { endpointId, runId, eventId }: DeliveryFaultScope,
  target: DeliveryFaultTarget,
): boolean {
  return (
    (endpointId === undefined || endpointId === target.endpointId) &&
    (runId === undefined || runId === target.runId) &&
    (eventId === undefined || eventId === target.eventId)
  );
}

/** Returns whether a fault applies to no further delivery. */
export function isExhausted({
  deliveries,
  hits,
}: DeliveryFaultScope & { readonly hits: number }): boolean {
  return deliveries !== undefined && hits >= deliveries;
}
