import type { CheckContext } from '../../../check-kit/check.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import type { ControlledRun, Delivery } from '../../../clients/control-client.ts';
import { CUSTOM_HEADERS } from '../../../driver/sender-driver.ts';
import type {
  DrivenEndpoint,
  SenderDriver,
  WantedEndpoint,
} from '../../../driver/sender-driver.ts';
import type { Waited } from '../../../driver/wait-strategy.ts';
import type { ResponseScript } from '../../../listener/delivery.ts';
import { CouldNotRun, Inconclusive, NoResponse, NotApplicable } from '../../../verdict/findings.ts';
import { Lanes } from '../../../wire/lanes.ts';
import type { Arrivals } from '../arrivals.ts';

/** What an endpoint of the suite received while its sender was driven. Several checks judge it. */
export interface Scene {
  readonly endpoint: DrivenEndpoint['endpoint'];
  /** The custom headers of the endpoint. */
  readonly headers: Readonly<Record<string, string>>;
  /** The query of its URL, with its `?`; empty for none. */
  readonly query: string;
  readonly deliveries: Arrivals;
  /** How long the scene waited for what did not arrive. */
  readonly waited: Waited;
  /** Milliseconds since the epoch, by the suite's clock. */
  readonly endedAt: number;
  /** The sender's records of its attempts; null without a control interface. */
  readonly records: readonly Delivery[] | null;
  /** The sender's clock at the beginning and at the end, in milliseconds since the epoch. */
  readonly clock: { readonly start: number; readonly end: number };
}

/** A scene whose endpoint receives the events of the runs of one tenant. */
export interface TenantScene extends Scene {
  /** Null when the driver does not know it. */
  readonly tenantId: string | null;
  readonly runs: readonly ControlledRun[];
}

/** An endpoint of a scene, before the scene is over. */
export interface OpenScene {
  readonly driven: DrivenEndpoint;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly startedAt: number;
}

/** Registers an endpoint with custom headers and a query, or without what the driver cannot set. */
export async function openScene(
  sender: SenderDriver,
  script: ResponseScript,
  { query = '', ...tenant }: Pick<WantedEndpoint, 'query' | 'sameTenant'> = {},
): Promise<OpenScene> {
  const open = async (configured: Pick<OpenScene, 'headers' | 'query'>): Promise<OpenScene> => {
    const driven = await sender.open({ script, ...configured, ...tenant });
    return { driven, ...configured, startedAt: Date.parse((await driven.clock()).now) };
  };
  const choices = [CUSTOM_HEADERS, {}].flatMap((headers) =>
    [...new Set([query, ''])].map((one) => ({ headers, query: one })),
  );
  for (const configured of choices.slice(0, -1)) {
    try {
      return await open(configured);
    } catch (error) {
      // Which headers and URLs can be configured is left open: a refusal says nothing about the rest.
      const isRefused = error instanceof Inconclusive && !(error instanceof NoResponse);
      if (!isRefused && !(error instanceof CouldNotRun)) throw error;
    }
  }
  return open({ headers: {}, query: '' });
}

/** Reads the records and the clock of a scene at its end. */
export async function endScene(
  context: CheckContext,
  { driven, headers, query, startedAt }: OpenScene,
  waited: Waited,
): Promise<Scene> {
  const { endpoint, listener } = driven;
  const [records, clock] = await Promise.all([recordsOf(context, endpoint.id), driven.clock()]);
  const deliveries = [...listener.deliveries];
  return {
    endpoint,
    headers,
    query,
    deliveries,
    waited,
    endedAt: context.now(),
    records,
    clock: { start: startedAt, end: Date.parse(clock.now) },
  };
}

async function recordsOf(
  context: CheckContext,
  endpointId: string,
): Promise<readonly Delivery[] | null> {
  const control = controlOrNull(context);
  if (control === null) return null;
  const [records] = await settle(control.listDeliveries({ endpointId }));
  return records?.data ?? null;
}

/** A value, or the finding that replaces it. */
export type Settled<Value> = readonly [Value] | readonly [undefined, Error];

/** Waits for a step that a driver may be unable to do, or that its target may refuse. */
export async function settle<Value>(step: Promise<Value>): Promise<Settled<Value>> {
  try {
    return [await step];
  } catch (error) {
    if (
      error instanceof CouldNotRun ||
      error instanceof Inconclusive ||
      error instanceof NotApplicable
    ) {
      return [undefined, error];
    }
    throw error;
  }
}

/** The value of a settled step. Throws the finding that replaces it. */
export function valueOf<Value>(settled: Settled<Value>): Value {
  if (settled.length === 2) throw settled[1];
  return settled[0];
}

/** At most this many operations of the driver at the same time. */
const MAX_CONCURRENCY = 4;

/** Does the same with every item, several at the same time; the results are in the order of the items. */
export function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const lanes = new Lanes(MAX_CONCURRENCY);
  return Promise.all(items.map((item) => lanes.pass(() => work(item))));
}
