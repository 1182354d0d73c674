import type { RequestMiddleware } from '../app.ts';
import type { Clock } from '../clock/clock.ts';
import type { HostRule } from '../http/request.ts';
import type { Logger } from '../logger.ts';
import type { Services } from '../api/services.ts';
import type { Sender } from '../events/sender.ts';
import type { KeyedRandom } from '../store/seed.ts';
import type { Store } from '../store/store.ts';
import { Feed } from './activity/feed.ts';
import type { Activity } from './activity/feed.ts';
import { EventStreams } from './activity/event-stream.ts';
import { RequestLog } from './activity/request-log.ts';
import type { Beside } from './activity/request-log.ts';
import { apiFaultRow, deliveryFaultRow } from './activity/rows.ts';
import { watchedStore } from './activity/watched-store.ts';
import { SentRequests } from './attempts/sent-requests.ts';
import { applyApiFaults, cutResponses } from './api-faults/apply-api-faults.ts';
import { ApiFaultPlan } from './api-faults/api-fault-plan.ts';
import { Expiries } from './control/expiries.ts';
import { DeliveryFaultPlan } from './delivery-faults/delivery-fault-plan.ts';
import { FaultyDeliveries } from './delivery-faults/interceptor.ts';
import { CONTROL_PREFIX, controlInterface } from './control/control-interface.ts';
import type { LabServices } from './control/services.ts';
import { DASHBOARD_PREFIX, dashboard } from './dashboard/dashboard.ts';

/** A port: that of the base address, which may serve both addresses, or a separate one of the app. */
export type Side = 'base' | 'app';

interface LabOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The source of random numbers for faults with a probability. */
  readonly random: KeyedRandom;
  readonly servesHost: HostRule;
  /** The origins whose pages may call the control interface, with its token. */
  readonly corsOrigins: ReadonlySet<string>;
  readonly logger: Logger;
  /** Called with each row of the stream. Default none. */
  readonly onActivity?: ((activity: Activity) => void) | undefined;
}

/**
 * The parts of a test server: the control interface, the dashboard and injected faults. Only a request middleware,
 * a delivery interceptor and the clock change what the API and the sender do. The control interface calls the
 * services as the operations of the API do.
 */
export class Lab {
  /** The store of the options, whose commits the stream shows. Pass it to the other parts. */
  readonly store: Store;
  /** Intercepts the deliveries of the sender. */
  readonly deliveries: FaultyDeliveries;
  readonly #options: LabOptions;
  readonly #feed = new Feed();
  readonly #streams = new EventStreams(this.#feed);
  readonly #requests: RequestLog;
  readonly #apiFaults: ApiFaultPlan;
  readonly #deliveryFaults: DeliveryFaultPlan;
  readonly #sentRequests = new SentRequests();
  readonly #expiries = new Expiries();

  constructor(options: LabOptions) {
    const { store, clock, random, logger, onActivity } = options;
    this.#options = options;
    this.store = watchedStore(store, this.#feed, this.#sentRequests);
    this.#requests = new RequestLog(clock, this.#feed, store);
    const feed = this.#feed;
    this.#apiFaults = new ApiFaultPlan(random, {
      changed: (fault, hit) =>
        feed.publish({
          event: 'api-fault',
          data: apiFaultRow(this.#apiFaults.view(fault, clock.now()), hit),
        }),
      removed: (id) => feed.publish({ event: 'removed', data: { kind: 'api-fault', id } }),
    });
    this.#deliveryFaults = new DeliveryFaultPlan({
      changed: (fault, hit) =>
        feed.publish({
          event: 'delivery-fault',
          data: deliveryFaultRow(this.#deliveryFaults.view(fault, clock.now()), hit),
        }),
      removed: (id) => feed.publish({ event: 'removed', data: { kind: 'delivery-fault', id } }),
    });
    this.deliveries = new FaultyDeliveries({
      plan: this.#deliveryFaults,
      store: this.store,
      clock,
      logger,
      sentRequests: this.#sentRequests,
    });
    if (onActivity !== undefined) {
      feed.read();
      feed.subscribe((activity) => {
        if (activity !== null) onActivity(activity);
      });
    }
  }

  /** Tells those who wait that the sender has got on. */
  readonly announce = (): void => this.#feed.announce();

  /** Call it once, before the sender starts. */
  attach(sender: Sender): void {
    this.deliveries.attach(sender);
  }

  /** Returns the request middleware of one port. Control interface and dashboard are on that of the base address. */
  requestMiddleware(services: Services, side: Side): RequestMiddleware {
    const { store, clock, servesHost, corsOrigins, logger } = this.#options;
    const labServices: LabServices = {
      ...services,
      apiFaults: this.#apiFaults,
      deliveryFaults: this.#deliveryFaults,
      sentRequests: this.#sentRequests,
      expiries: this.#expiries,
      feed: this.#feed,
      streams: this.#streams,
      requests: this.#requests,
    };
    const token = store.state.controlToken;
    const control: Beside = {
      prefix: CONTROL_PREFIX,
      serve: controlInterface({ services: labServices, token, servesHost, corsOrigins, logger }),
    };
    const page: Beside = {
      prefix: DASHBOARD_PREFIX,
      atRoot: true,
      serve: dashboard({ servesHost, logger }),
    };
    return {
      around: this.#requests.around(cutResponses(), side === 'app' ? [] : [control, page]),
      admitted: applyApiFaults(this.#apiFaults, clock),
    };
  }

  /** Closes the streams. Limits and faults keep no timer. */
  close(): void {
    this.#streams.close();
    this.#expiries.close();
  }
}
