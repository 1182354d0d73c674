/** An isolated set of tenants, keys and fixtures that the control interface hands out. */
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

/** How a run is to be created. */
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

/** One try to deliver an event, from the sender's side. */
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
  /** Null for an event of Send test, whose run does not exist. */
  readonly runId: string | null;
  readonly type: string;
  readonly status: 'pending' | 'delivered' | 'ended';
  readonly endReason: string | null;
  readonly nextAttemptAt: string | null;
  readonly attempts: readonly DeliveryAttempt[];
}

/** The clock of the deployment under control. */
export interface ControlledClock {
  readonly mode: 'real' | 'virtual';
  /** ISO 8601. */
  readonly now: string;
}

/** The limits of the deployment under control, for every key of it. */
export interface ControlledLimits {
  /** Requests that a key may make in so many seconds; null for any number. */
  readonly rateLimit: { readonly requests: number; readonly windowSeconds: number } | null;
  /** While `unavailable`, every request is answered with 503. */
  readonly accounting: 'available' | 'unavailable';
}

/** A fault to plant: the next request of this kind is answered with this status instead of being processed. */
export interface NewFault {
  readonly tenantId: string;
  readonly method: string;
  readonly status: number;
}

/** What `waitFor…` may ask for. */
export interface WaitOptions {
  readonly status?: string;
  /** At least so many attempts. */
  readonly attempts?: number;
  /** Real time; default 5000. */
  readonly timeoutMilliseconds?: number;
}

/**
 * The control interface in front of the deployment under test. `world()` and `clock()` always work; every other
 * method is refused unless the run was unlocked with `allowWrites`. Each throws `NoResponse` when no answer came and
 * `Inconclusive` when the answer was not the agreed one.
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
  /** Throws `NotApplicable`, as do the next two, where the control interface has no such operation. */
  limits(): Promise<ControlledLimits>;
  changeLimits(change: Partial<ControlledLimits>): Promise<ControlledLimits>;
  injectFault(fault: NewFault): Promise<void>;
  /** Null when it did not come to that in time. */
  waitForDelivery(deliveryId: string, options?: WaitOptions): Promise<Delivery | null>;
  /** Null when it did not come to that in time. */
  waitForRun(runId: string, options?: WaitOptions): Promise<ControlledRun | null>;
  /** False when work was still in flight or due at the end of the time. */
  waitForIdle(timeoutMilliseconds?: number): Promise<boolean>;
}
