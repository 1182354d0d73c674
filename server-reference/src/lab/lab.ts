import type { RequestMiddleware, Side } from '../platform/app.ts';
import type { Clock } from '../platform/clock/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { Services } from '../platform/routes/services.ts';
import type { CreateInterceptor } from '../platform/sender/interceptor.ts';
import type { KeyedRandom } from '../platform/store/seed.ts';
import type { Store } from '../platform/store/store.ts';
import { applyApiFaults, cutResponses } from './api-faults/apply-api-faults.ts';
import { ApiFaultPlan } from './api-faults/api-fault-plan.ts';
import { Changes } from './control/changes.ts';
import { controlInterface } from './control/control-interface.ts';
import { DeliveryFaultPlan } from './delivery-faults/delivery-fault-plan.ts';
import { interceptDeliveries } from './delivery-faults/interceptor.ts';
import type { LabServices } from './control/services.ts';
import { Sinks } from './sinks/sinks.ts';

export interface LabOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The source of random numbers for faults with a probability. */
  readonly random: KeyedRandom;
  /** The address that the server listens at. */
  readonly host: string;
  readonly logger: Logger;
}

/**
 * The parts of a test server: the control interface, injected faults and sinks. Only a request middleware,
 * a delivery interceptor and the clock change what the platform does. The control interface calls the
 * platform's services as the routes do.
 */
export class Lab {
  readonly #options: LabOptions;
  readonly #changes = new Changes();
  readonly #apiFaults: ApiFaultPlan;
  readonly #deliveryFaults: DeliveryFaultPlan;
  readonly #sinks: Sinks;

  constructor(options: LabOptions) {
    const { announce } = this.#changes;
    this.#options = options;
    this.#apiFaults = new ApiFaultPlan(options.random, announce);
    this.#deliveryFaults = new DeliveryFaultPlan(announce);
    this.#sinks = new Sinks({ clock: options.clock, changed: announce });
  }

  /** The delivery interceptor. Faults apply before the sink, so that it records extra attempts too. */
  readonly interceptor: CreateInterceptor = (control) => {
    const { store, clock } = this.#options;
    control.subscribe(this.#changes.announce);
    const applyFault = interceptDeliveries({ plan: this.#deliveryFaults, store, clock })(control);
    return (order, next) => applyFault(order, (changed) => this.#sinks.intercept(changed, next));
  };

  /** Returns the request middleware of one port. The control interface is on the port of the base address. */
  requestMiddleware(services: Services, side: Side): RequestMiddleware {
    const { store, clock, host, logger } = this.#options;
    const cut = cutResponses();
    const labServices: LabServices = {
      ...services,
      apiFaults: this.#apiFaults,
      deliveryFaults: this.#deliveryFaults,
      sinks: this.#sinks,
      changes: this.#changes,
    };
    const token = store.state.controlToken;
    return {
      around:
        side === 'app'
          ? cut
          : controlInterface({ services: labServices, token, host, logger }, cut),
      admitted: applyApiFaults(this.#apiFaults, clock),
    };
  }

  /** Closes the sinks. */
  async close(): Promise<void> {
    await this.#sinks.close();
  }
}
