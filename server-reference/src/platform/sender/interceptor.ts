import type { DeliveryRecord } from '../state/deliveries.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { Attempt, AttemptOrder } from './attempt.ts';

/** Makes an attempt. */
export type BeginAttempt = (order: AttemptOrder) => Attempt;

/**
 * Wraps every attempt of the sender: it may change the order, look at the attempt, begin more of them,
 * or postpone the delivery and return null.
 */
export type DeliveryInterceptor = (order: AttemptOrder, next: BeginAttempt) => Attempt | null;

/** What an interceptor may ask of the sender. */
export interface SenderControl {
  /** Moves the next attempt of a delivery to a later time, durably. */
  postpone(delivery: DeepReadonly<DeliveryRecord>, until: number): void;
  /** Whether a delivery is pending, due, and not under way. */
  isDue(delivery: DeepReadonly<DeliveryRecord>): boolean;
  /**
   * Begins an extra attempt at a time, when its endpoint has room. Nothing begins once the delivery is
   * forgotten, or its endpoint disabled or deleted. Kept in memory alone.
   *
   * @returns false when {@link MAX_EXTRA_ATTEMPTS} wait already
   */
  beginLater(delivery: DeepReadonly<DeliveryRecord>, dueAt: number, begin: () => void): boolean;
  /** Calls back after each change of a delivery; returns how to stop. */
  subscribe(listener: () => void): () => void;
  /** Calls back when the sender closes. */
  onClose(listener: () => void): void;
}

/** How many extra attempts wait at most. */
export const MAX_EXTRA_ATTEMPTS = 10_000;

/** Makes an interceptor for a sender. */
export type CreateInterceptor = (control: SenderControl) => DeliveryInterceptor;
