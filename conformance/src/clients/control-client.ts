import type { RunSnapshot } from '@hookproof/spec';
import type {
  Clock,
  Delivery as DeliveryRecord,
  DeliveryAttempt,
  Limits,
  LimitsChange,
  RunCreation,
  RunMove,
  SentTest,
  WebhookEndpoint as Endpoint,
  WebhookEndpointChange,
  WebhookEndpointCreation,
  World as WorldRecord,
  WorldSummary as WorldSummaryRecord,
} from '@hookproof/spec/control';

import type { FixtureName } from '../options/facts.ts';

// Types of spec/control.yaml, reduced to the members that the suite reads: a response needs no other member.

/** An isolated set of tenants, keys and fixtures. */
export interface World extends Readonly<Pick<WorldRecord, 'id' | 'tenantId'>> {
  readonly keys: Readonly<Omit<WorldRecord['keys'], 'revoked'>>;
  readonly fixtures: Readonly<Partial<Record<FixtureName, string>>>;
}

/** A world in the list of worlds. */
export type WorldSummary = Readonly<Pick<WorldSummaryRecord, 'id' | 'label'>>;

/** A run as the control interface reports it. */
export type ControlledRun = Readonly<Pick<RunSnapshot, 'id' | 'status'>> &
  Readonly<Partial<Pick<RunSnapshot, 'automationId' | 'type' | 'triggerType'>>>;

/** A configured webhook endpoint; its secret is redacted from every report. */
export type WebhookEndpoint = Readonly<
  Pick<Endpoint, 'id' | 'url' | 'secret'> & Partial<Pick<Endpoint, 'worldId'>>
>;

/** One event for one endpoint, with all its attempts. */
export interface Delivery
  extends
    Readonly<Pick<DeliveryRecord, 'id' | 'eventId' | 'status'>>,
    Readonly<Partial<Pick<DeliveryRecord, 'nextAttemptAt'>>> {
  readonly attempts: readonly (Readonly<Pick<DeliveryAttempt, 'startedAt'>> &
    Readonly<Partial<Pick<DeliveryAttempt, 'error' | 'detail'>>>)[];
}

/** A fault to inject: the next matching request gets this status and is not processed. */
export interface NewFault {
  readonly tenantId: string;
  readonly method: string;
  readonly status: number;
  /** Real time after which it ends by itself, where the control interface knows ends. */
  readonly expiresInMilliseconds?: number;
}

/** An injected fault, with what the control interface says about it. */
export interface InjectedFault {
  readonly id?: string;
  readonly match?: { readonly tenantId?: string };
}

/** Selects the deliveries that have every given id. */
export interface DeliveryFilter {
  readonly endpointId?: string;
  readonly eventId?: string;
  readonly runId?: string;
}

/**
 * The control interface of the deployment under test. `world()` and `clock()` always work; every other method needs a
 * run unlocked with `allowWrites`. Each throws `NoResponse` without a response and `Inconclusive` for a response that
 * is not the documented one.
 */
export interface ControlClient {
  world(): Promise<World>;
  /** `label` marks the world in the list of worlds, where the control interface knows labels. */
  createWorld(label?: string): Promise<World>;
  /** A world for several checks: it is deleted when the run ends, not when the attempt does. */
  createSharedWorld(): Promise<World>;
  /** Throws `NotApplicable`, as does the next one, when the control interface lacks the operation. */
  worlds(): Promise<readonly WorldSummary[]>;
  deleteWorld(worldId: string): Promise<void>;
  createRun(run?: RunCreation): Promise<ControlledRun>;
  run(runId: string): Promise<ControlledRun>;
  moveRun(runId: string, move: RunMove): Promise<ControlledRun>;
  createEndpoint(endpoint: WebhookEndpointCreation): Promise<WebhookEndpoint>;
  updateEndpoint(endpointId: string, change: WebhookEndpointChange): Promise<WebhookEndpoint>;
  /** Throws `NotApplicable` when the control interface lacks the operation. */
  endpoints(): Promise<readonly WebhookEndpoint[]>;
  deleteEndpoint(endpointId: string): Promise<void>;
  sendTest(endpointId: string): Promise<SentTest>;
  deliveries(filter: DeliveryFilter): Promise<readonly Delivery[]>;
  redeliver(deliveryId: string): Promise<Delivery>;
  clock(): Promise<Clock>;
  advanceClock(milliseconds: number): Promise<Clock>;
  /** Throws `NotApplicable`, as do the next four, when the control interface lacks the operation. */
  limits(): Promise<Limits>;
  /** A change with an end is sent again without it to a control interface that knows no end. */
  changeLimits(change: LimitsChange): Promise<Limits>;
  injectFault(fault: NewFault): Promise<InjectedFault>;
  faults(): Promise<readonly InjectedFault[]>;
  removeFault(faultId: string): Promise<void>;
  /** False when work is still in flight or due on timeout. */
  waitForIdle(timeoutMilliseconds?: number): Promise<boolean>;
}
