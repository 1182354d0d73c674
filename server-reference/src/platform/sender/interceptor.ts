import type { DeliveryRecord } from '../state/deliveries.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { Attempt, AttemptOrder } from './attempt.ts';

/** Starts an attempt. */
export type BeginAttempt = (order: AttemptOrder) => Attempt;

/**
 * Wraps every attempt of the sender. It may change the order, observe the attempt, start extra attempts, or
 * postpone the delivery and return null.
 */
export type DeliveryInterceptor = (order: AttemptOrder, next: BeginAttempt) => Attempt | null;

/** The part of the sender that an interceptor may use. */
export interface SenderControl {
  /** Postpones the next attempt of a delivery. The change is durable. */
  postpone(delivery: DeepReadonly<DeliveryRecord>, until: number): void;
  /** Returns whether a delivery is pending and due, and has no attempt in progress. */
  isDue(delivery: DeepReadonly<DeliveryRecord>): boolean;
  /**
   * Schedules an extra attempt for a steady time of the clock, or later if its endpoint has no capacity. It is skipped if the delivery
   * was pruned, or its endpoint disabled or deleted. A restart loses it.
   *
   * @returns false if {@link MAX_EXTRA_ATTEMPTS} are already waiting
   */
  beginLater(delivery: DeepReadonly<DeliveryRecord>, dueAt: number, begin: () => void): boolean;
  /** Calls back after each change of a delivery. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** Calls back when the sender closes. */
  onClose(listener: () => void): void;
}

/** The maximum number of waiting extra attempts. */
export const MAX_EXTRA_ATTEMPTS = 10_000;

/** Creates an interceptor for a sender. */
export type CreateInterceptor = (control: SenderControl) => DeliveryInterceptor;
