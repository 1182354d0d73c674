import type { Services } from '../../api/services.ts';
import type { EventStreams } from '../activity/event-stream.ts';
import type { Feed } from '../activity/feed.ts';
import type { RequestLog } from '../activity/request-log.ts';
import type { ApiFaultPlan } from '../api-faults/api-fault-plan.ts';
import type { Expiries } from './expiries.ts';
import type { DeliveryFaultPlan } from '../delivery-faults/delivery-fault-plan.ts';
import type { SentRequests } from '../attempts/sent-requests.ts';

/** The services of the control interface: those of the API and those of the lab. */
export interface LabServices extends Services {
  readonly apiFaults: ApiFaultPlan;
  readonly deliveryFaults: DeliveryFaultPlan;
  readonly sentRequests: SentRequests;
  /** Ends limits and faults that have an end. */
  readonly expiries: Expiries;
  /** Tells what has changed. */
  readonly feed: Feed;
  readonly streams: EventStreams;
  readonly requests: RequestLog;
}
