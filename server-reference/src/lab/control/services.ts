import type { Services } from '../../api/services.ts';
import type { EventStreams } from '../activity/event-stream.ts';
import type { ActivityFeed } from '../activity/feed.ts';
import type { RequestLog } from '../activity/request-log.ts';
import type { ApiFaultPlan } from '../api-faults/api-fault-plan.ts';
import type { Changes } from './changes.ts';
import type { Expiries } from './expiries.ts';
import type { DeliveryFaultPlan } from '../delivery-faults/delivery-fault-plan.ts';
import type { FaultyDeliveries } from '../delivery-faults/interceptor.ts';
import type { SentRequests } from '../attempts/sent-requests.ts';

/** The services of the control interface: those of the API and those of the lab. */
export interface LabServices extends Services {
  readonly apiFaults: ApiFaultPlan;
  readonly deliveryFaults: DeliveryFaultPlan;
  /** Applies them. */
  readonly deliveries: FaultyDeliveries;
  readonly sentRequests: SentRequests;
  /** Ends limits and faults that have an end. */
  readonly expiries: Expiries;
  /** Announces changes of deliveries, runs and faults. */
  readonly changes: Changes;
  /** The rows of the streams. */
  readonly feed: ActivityFeed;
  readonly streams: EventStreams;
  readonly requests: RequestLog;
}
