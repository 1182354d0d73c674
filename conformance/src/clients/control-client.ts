import type { RunSnapshot } from '@hookproof/spec';
import type {
  Clock,
  Delivery as DeliveryRecord,
  DeliveryAttempt,
  DeliveryWait,
  Limits,
  LimitsChange,
  RunCreation,
  RunMove,
  RunWait,
  SentTest,
  WebhookEndpoint as Endpoint,
  WebhookEndpointChange,
  WebhookEndpointCreation,
  World as WorldRecord,
} from '@hookproof/spec/control';

import { isRecord } from '../http/message.ts';
import type { FixtureName } from '../options/facts.ts';

// Types of spec/control.yaml, reduced to the fields that the suite reads, with their guards: a response needs no other field.

/** An isolated set of tenants, keys and fixtures. */
export interface World extends Readonly<Pick<WorldRecord, 'id' | 'tenantId'>> {
  readonly keys: Readonly<Omit<WorldRecord['keys'], 'revoked'>>;
  readonly fixtures: Readonly<Partial<Record<FixtureName, string>>>;
}

/** A run as the control interface reports it. */
export type ControlledRun = Readonly<Pick<RunSnapshot, 'id' | 'status'>>;

/** A configured webhook endpoint; its secret is redacted from every report. */
export type WebhookEndpoint = Readonly<Pick<Endpoint, 'id' | 'url' | 'secret'>>;

/** One event for one endpoint, with all its attempts. */
export interface Delivery extends Readonly<Pick<DeliveryRecord, 'id' | 'eventId' | 'status'>> {
  readonly attempts: readonly Readonly<Pick<DeliveryAttempt, 'startedAt'>>[];
}

/** A fault to inject: the next matching request gets this status and is not processed. */
export interface NewFault {
  readonly tenantId: string;
  readonly method: string;
  readonly status: number;
}

/** Selects the deliveries that have every given id. */
export interface DeliveryFilter {
  readonly endpointId?: string;
  readonly eventId?: string;
  readonly runId?: string;
}

/** The condition that `waitFor…` awaits. */
export type WaitOptions<Wait> = Omit<Wait, 'for' | 'id'>;

/**
 * The control interface of the deployment under test. `world()` and `clock()` always work; every other method needs a
 * run unlocked with `allowWrites`. Each throws `NoResponse` without a response and `Inconclusive` for a response that
 * is not the documented one.
 */
export interface ControlClient {
  world(): Promise<World>;
  createWorld(): Promise<World>;
  createRun(run?: RunCreation): Promise<ControlledRun>;
  run(runId: string): Promise<ControlledRun>;
  moveRun(runId: string, move: RunMove): Promise<ControlledRun>;
  createEndpoint(endpoint: WebhookEndpointCreation): Promise<WebhookEndpoint>;
  updateEndpoint(endpointId: string, change: WebhookEndpointChange): Promise<WebhookEndpoint>;
  deleteEndpoint(endpointId: string): Promise<void>;
  sendTest(endpointId: string): Promise<SentTest>;
  deliveries(filter: DeliveryFilter): Promise<readonly Delivery[]>;
  redeliver(deliveryId: string): Promise<Delivery>;
  clock(): Promise<Clock>;
  advanceClock(milliseconds: number): Promise<Clock>;
  /** Throws `NotApplicable`, as do the next two, when the control interface lacks the operation. */
  limits(): Promise<Limits>;
  changeLimits(change: LimitsChange): Promise<Limits>;
  injectFault(fault: NewFault): Promise<void>;
  /** Null on timeout. */
  waitForDelivery(
    deliveryId: string,
    options?: WaitOptions<DeliveryWait>,
  ): Promise<Delivery | null>;
  /** Null on timeout. */
  waitForRun(runId: string, options?: WaitOptions<RunWait>): Promise<ControlledRun | null>;
  /** False when work is still in flight or due on timeout. */
  waitForIdle(timeoutMilliseconds?: number): Promise<boolean>;
}

/** Whether a response of the control interface has the fields that the suite reads. */
export type Shape<T> = (value: unknown) => value is T;

function hasStrings(
  value: unknown,
  ...names: string[]
): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && names.every((name) => typeof value[name] === 'string');
}

function hasOnlyStrings(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((item) => typeof item === 'string');
}

export const isWorld: Shape<World> = (value): value is World =>
  hasStrings(value, 'id', 'tenantId') &&
  hasOnlyStrings(value['keys']) &&
  hasOnlyStrings(value['fixtures']);

export const isRun: Shape<ControlledRun> = (value): value is ControlledRun =>
  hasStrings(value, 'id', 'status');

export const isEndpoint: Shape<WebhookEndpoint> = (value): value is WebhookEndpoint =>
  hasStrings(value, 'id', 'url', 'secret');

export const isDelivery: Shape<Delivery> = (value): value is Delivery =>
  hasStrings(value, 'id', 'eventId', 'status') && Array.isArray(value['attempts']);

export const isDeliveryList: Shape<{ readonly data: readonly Delivery[] }> = (
  value,
): value is { readonly data: readonly Delivery[] } =>
  isRecord(value) && Array.isArray(value['data']) && value['data'].every(isDelivery);

export const isClock: Shape<Clock> = (value): value is Clock => hasStrings(value, 'mode', 'now');

export const isSentTest: Shape<SentTest> = (value): value is SentTest =>
  hasStrings(value, 'eventId');

export const isLimits: Shape<Limits> = (value): value is Limits =>
  hasStrings(value, 'accounting') && (value['rateLimit'] === null || isRecord(value['rateLimit']));

export const isEmpty: Shape<undefined> = (value): value is undefined => value === undefined;

export const isObject: Shape<object> = (value): value is object =>
  typeof value === 'object' && value !== null;
