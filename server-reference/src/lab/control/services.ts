import type { Services } from '../../platform/routes/services.ts';
import type { ApiFaultPlan } from '../api-faults/api-fault-plan.ts';
import type { Changes } from './changes.ts';
import type { DeliveryFaultPlan } from '../delivery-faults/delivery-fault-plan.ts';
import type { Sinks } from '../sinks/sinks.ts';

/** The services of the control interface: those of the platform and those of the lab. */
export interface LabServices extends Services {
  readonly apiFaults: ApiFaultPlan;
  readonly deliveryFaults: DeliveryFaultPlan;
  readonly sinks: Sinks;
  /** Announces changes of deliveries, runs, faults and sinks. */
  readonly changes: Changes;
}
