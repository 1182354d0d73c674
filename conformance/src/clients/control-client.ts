/** An isolated set of tenants, keys and fixtures. */
export interface World {
  readonly id: string;
  readonly tenantId: string;
  readonly keys: Readonly<
    Record<'wildcard' | 'reviewer' | 'ocr' | 'workflow' | 'otherTenant', string>
  >;
  readonly fixtures: Readonly<Record<string, string>>;
}

/** A run as the control interface reports it. */
export interface ControlledRun {
  readonly id: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

/** A run to create. */
export interface NewRun {
  readonly worldId?: string;
  readonly automationId?: string;
  readonly origin?: 'top-level' | 'invoke-workflow' | 'evaluation';
  readonly triggerType?: string;
  readonly status?: string;
  readonly output?: unknown;
}

/** A configured webhook endpoint; its secret is redacted from every report. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly worldId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
  readonly enabled: boolean;
}

/** One attempt to deliver an event, as the sender recorded it. */
export interface DeliveryAttempt {
  readonly number: number;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly trigger: 'automatic' | 'manual';
  readonly status: number | null;
  readonly error: string | null;
  /** Seconds. */
  readonly retryAfter: { readonly asked: number; readonly used: number } | null;
}

/** One event for one endpoint, with all its attempts. */
export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly endpointId: string;
  /** Null for an event of Send test, which has no run. */
  readonly runId: string | null;
  readonly type: string;
  readonly status: 'pending' | 'delivered' | 'ended';
  readonly endReason: string | null;
  readonly nextAttemptAt: string | null;
  readonly attempts: readonly DeliveryAttempt[];
}

/** The clock of the deployment. */
export interface ControlledClock {
  readonly mode: 'real' | 'virtual';
  /** ISO 8601. */
  readonly now: string;
}

/** The limits of the deployment; they apply to every key. */
export interface ControlledLimits {
  /** How many requests a key may send within a window; null means unlimited. */
  readonly rateLimit: { readonly requests: number; readonly windowSeconds: number } | null;
  /** While `unavailable`, every request gets 503. */
  readonly accounting: 'available' | 'unavailable';
}

/** A fault to inject: the next matching request gets this status and is not processed. */
export interface NewFault {
  readonly tenantId: string;
  readonly method: string;
  readonly status: number;
}

/** The condition that `waitFor…` awaits. */
export interface WaitOptions {
  readonly status?: string;
  /** Minimum number of attempts. */
  readonly attempts?: number;
  /** Real time. Default 5000. */
  readonly timeoutMilliseconds?: number;
}

/**
 * The control interface of the deployment under test. `world()` and `clock()` always work; every other method needs a
 * run unlocked with `allowWrites`. Each throws `NoResponse` without a response and `Inconclusive` for a response that
 * is not the documented one.
 */
export interface ControlClient {
  world(): Promise<World>;
  createWorld(): Promise<World>;
  createRun(run?: NewRun): Promise<ControlledRun>;
  run(runId: string): Promise<ControlledRun>;
  moveRun(
    runId: string,
    move: { readonly status: string; readonly output?: unknown },
  ): Promise<ControlledRun>;
  createEndpoint(endpoint: {
    readonly worldId?: string;
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
  }): Promise<WebhookEndpoint>;
  updateEndpoint(
    endpointId: string,
    change: {
      readonly enabled?: boolean;
      readonly url?: string;
      readonly headers?: Readonly<Record<string, string>>;
    },
  ): Promise<WebhookEndpoint>;
  deleteEndpoint(endpointId: string): Promise<void>;
  sendTest(endpointId: string): Promise<{ readonly eventId: string }>;
  deliveries(filter: {
    readonly endpointId?: string;
    readonly eventId?: string;
    readonly runId?: string;
  }): Promise<readonly Delivery[]>;
  redeliver(deliveryId: string): Promise<Delivery>;
  clock(): Promise<ControlledClock>;
  advanceClock(milliseconds: number): Promise<ControlledClock>;
  /** Throws `NotApplicable`, as do the next two, when the control interface lacks the operation. */
  limits(): Promise<ControlledLimits>;
  changeLimits(change: Partial<ControlledLimits>): Promise<ControlledLimits>;
  injectFault(fault: NewFault): Promise<void>;
  /** Null on timeout. */
  waitForDelivery(deliveryId: string, options?: WaitOptions): Promise<Delivery | null>;
  /** Null on timeout. */
  waitForRun(runId: string, options?: WaitOptions): Promise<ControlledRun | null>;
  /** False when work is still in flight or due on timeout. */
  waitForIdle(timeoutMilliseconds?: number): Promise<boolean>;
}
