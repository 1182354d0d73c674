import type { RequestMiddleware } from '../platform/app.ts';
import type { Side } from '../platform/platform.ts';
import type { Clock } from '../platform/clock/clock.ts';
import type { HostRule } from '../platform/http/request.ts';
import { loadedLater } from '../platform/http/route-table.ts';
import type { LoadModule } from '../platform/load-ahead.ts';
import type { Logger } from '../platform/logger.ts';
import type { Services } from '../platform/routes/services.ts';
import type { CreateInterceptor } from '../platform/sender/interceptor.ts';
import type { KeyedRandom } from '../platform/store/seed.ts';
import type { Store } from '../platform/store/store.ts';
import { ActivityFeed } from './activity/feed.ts';
import type { Activity } from './activity/feed.ts';
import { EventStreams } from './activity/event-stream.ts';
import { RequestLog } from './activity/request-log.ts';
import type { Beside } from './activity/request-log.ts';
import { watchLab } from './activity/watched-lab.ts';
import { watchedStore } from './activity/watched-store.ts';
import { SentRequests } from './attempts/sent-requests.ts';
import { applyApiFaults, cutResponses } from './api-faults/apply-api-faults.ts';
import { ApiFaultPlan } from './api-faults/api-fault-plan.ts';
import { Changes } from './control/changes.ts';
import { Expiries } from './control/expiries.ts';
import { DeliveryFaultPlan } from './delivery-faults/delivery-fault-plan.ts';
import { interceptDeliveries } from './delivery-faults/interceptor.ts';
import type * as Control from './control/control-interface.ts';
import type { LabServices } from './control/services.ts';
import type * as Dashboard from './dashboard/dashboard.ts';
import { CONTROL_PREFIX, DASHBOARD_PREFIX } from './prefixes.ts';
import { Sinks } from './sinks/sinks.ts';

/** What a start leaves out. */
export const LATER_MODULES: readonly LoadModule[] = [loadControl, loadDashboard];

function loadControl(): Promise<typeof Control> {
  return import('./control/control-interface.ts');
}

function loadDashboard(): Promise<typeof Dashboard> {
  return import('./dashboard/dashboard.ts');
}

export interface LabOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The source of random numbers for faults with a probability. */
  readonly random: KeyedRandom;
  readonly servesHost: HostRule;
  readonly logger: Logger;
  /** Called with each row of the stream. Default none. */
  readonly onActivity?: ((activity: Activity) => void) | undefined;
}

/**
 * The parts of a test server: the control interface, the dashboard, injected faults and sinks. Only a request middleware,
 * a delivery interceptor and the clock change what the platform does. The control interface calls the
 * platform's services as the routes do.
 */
export class Lab {
  /** The store of the options, whose commits the stream shows. Pass it to the platform. */
  readonly store: Store;
  readonly #options: LabOptions;
  readonly #feed = new ActivityFeed();
  readonly #streams = new EventStreams(this.#feed);
  readonly #requests: RequestLog;
  readonly #changes = new Changes();
  readonly #apiFaults: ApiFaultPlan;
  readonly #deliveryFaults: DeliveryFaultPlan;
  readonly #sinks: Sinks;
  readonly #sentRequests = new SentRequests();
  readonly #expiries = new Expiries();

  constructor(options: LabOptions) {
    const { announce } = this.#changes;
    const { store, clock, random, onActivity } = options;
    this.#options = options;
    this.store = watchedStore(store, this.#feed, this.#sentRequests);
    this.#requests = new RequestLog(clock, this.#feed, store);
    this.#apiFaults = new ApiFaultPlan(random, announce);
    this.#deliveryFaults = new DeliveryFaultPlan(announce);
    this.#sinks = new Sinks({ clock, changed: announce });
    const lists = {
      apiFaults: this.#apiFaults,
      deliveryFaults: this.#deliveryFaults,
      sinks: this.#sinks,
    };
    this.#feed.onOpen(() => this.#changes.subscribe(watchLab(lists, this.#feed, clock)));
    if (onActivity !== undefined) this.#feed.listen(onActivity);
  }

  /** The delivery interceptor. Faults apply before the sink, so that it records extra attempts too. */
  readonly interceptor: CreateInterceptor = (control) => {
    const { store, clock } = this.#options;
    control.subscribe(this.#changes.announce);
    const applyFault = interceptDeliveries({ plan: this.#deliveryFaults, store, clock })(control);
    return (order, next) =>
      applyFault(order, (changed) =>
        this.#sinks.intercept(changed, (observed) => this.#sentRequests.intercept(observed, next)),
      );
  };

  /** Returns the request middleware of one port. Control interface and dashboard are on that of the base address. */
  requestMiddleware(services: Services, side: Side): RequestMiddleware {
    const { store, clock, servesHost, logger } = this.#options;
    const labServices: LabServices = {
      ...services,
      apiFaults: this.#apiFaults,
      deliveryFaults: this.#deliveryFaults,
      sinks: this.#sinks,
      sentRequests: this.#sentRequests,
      expiries: this.#expiries,
      changes: this.#changes,
      feed: this.#feed,
      streams: this.#streams,
      requests: this.#requests,
    };
    const token = store.state.controlToken;
    const control: Beside = {
      prefix: CONTROL_PREFIX,
      serve: loadedLater(async () => {
        const { controlInterface } = await loadControl();
        return controlInterface({ services: labServices, token, servesHost, logger });
      }),
    };
    const page: Beside = {
      prefix: DASHBOARD_PREFIX,
      atRoot: true,
      serve: loadedLater(async () => {
        const { dashboard } = await loadDashboard();
        return dashboard({ servesHost, logger });
      }),
    };
    return {
      around: this.#requests.around(cutResponses(), side === 'app' ? [] : [control, page]),
      admitted: applyApiFaults(this.#apiFaults, clock),
    };
  }

  /** Closes the sinks and the streams. Limits and faults keep no timer. */
  async close(): Promise<void> {
    this.#streams.close();
    this.#expiries.close();
    await this.#sinks.close();
  }
}
