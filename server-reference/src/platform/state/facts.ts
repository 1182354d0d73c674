import type { DeliveryRecord, EventRecord } from './deliveries.ts';
import type { StoredFile } from './datasets.ts';
import type { EventId, ExperimentId, RunId, TenantId, WebhookEndpointId, WorldId } from './ids.ts';
import { approximateBytes } from './json-size.ts';
import { largeBytesOf } from './large-value.ts';
import type { Kept } from './large-value.ts';
import type { RunRecord, RunReviewRecord } from './runs.ts';

/** About the bytes of a record, and those of its large values, which are stored outside of it. */
export interface RecordSize {
  readonly bytes: number;
  readonly largeBytes: number;
}

/**
 * What the indexes know of a run. It is stored beside the run, so that a start need not read the run itself.
 * If you add a member, or change how one is computed, raise the format of the data files. Sizes are estimates:
 * a better estimate needs no other format.
 */
export interface RunFacts extends RecordSize {
  readonly id: RunId;
  readonly worldId: WorldId;
  readonly tenantId: TenantId;
  readonly createdAt: string;
  readonly status: RunRecord['status'];
  readonly isKept: boolean;
  readonly isScheduled: boolean;
  readonly experimentId: ExperimentId | null;
  /** The hashes of its files. */
  readonly hashes: readonly string[];
}

/** The same of an event. */
export interface EventFacts extends RecordSize {
  readonly id: EventId;
}

/** The same of a delivery. Its sizes include those of its event. */
export interface DeliveryFacts extends RecordSize {
  readonly status: DeliveryRecord['status'];
  readonly endpointId: WebhookEndpointId;
  readonly eventId: EventId;
}

/** The facts of the kinds of records of which there are most. */
export interface FactsByTable {
  runs: RunFacts;
  events: EventFacts;
  deliveries: DeliveryFacts;
}

export function factsOfRun(run: RunRecord): RunFacts {
  const { id, worldId, tenantId, createdAt, status, scheduledTransitions, evaluation } = run;
  const { inputFiles = [], outputFiles, input, output, kept = false } = run;
  const later = scheduledTransitions.flatMap((step) => step.outputFiles ?? []);
  return {
    id,
    worldId,
    tenantId,
    createdAt,
    status,
    isKept: kept,
    isScheduled: scheduledTransitions.length > 0,
    experimentId: evaluation?.experimentId ?? null,
    hashes: hashesOf([...inputFiles, ...outputFiles, ...later]),
    // No prune asks for the size of a kept run.
    bytes: kept ? 0 : approximateBytes(run),
    largeBytes: kept
      ? 0
      : largeBytesIn([input, output, ...scheduledTransitions.map((step) => step.output)]),
  };
}

export function factsOfEvent(event: EventRecord): EventFacts {
  return {
    id: event.id,
    bytes: approximateBytes(event),
    largeBytes: largeBytesOf(event.payload),
  };
}

export function factsOfDelivery(
  delivery: DeliveryRecord,
  event: Pick<EventRecord, 'payload'> | undefined,
): DeliveryFacts {
  const { status, endpointId, eventId } = delivery;
  const bytes = approximateBytes(delivery) + approximateBytes(event);
  return { status, endpointId, eventId, bytes, largeBytes: largeBytesOf(event?.payload) };
}

export function sizeOfReview({ review, ...rest }: RunReviewRecord): RecordSize {
  const large = review === null ? [] : [review.note, review.corrections, review.correctedOutput];
  return {
    bytes: approximateBytes(review) + approximateBytes(rest),
    largeBytes: largeBytesIn(large),
  };
}

function largeBytesIn(values: readonly (Kept | undefined)[]): number {
  return values.reduce((sum, value) => sum + largeBytesOf(value), 0);
}

export function hashesOf(stored: readonly StoredFile[]): string[] {
  return stored.map(({ sha256 }) => sha256);
}
