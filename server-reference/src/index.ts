export { createServer } from './create-server.ts';
export type { ReferenceServer } from './create-server.ts';
export type { ServerOptions, WorldSize } from './server-options.ts';
export type { Activity } from './lab/activity/feed.ts';
export { realClock } from './platform/clock/clock.ts';
export { virtualClock } from './platform/clock/virtual-clock.ts';
export type { Clock, TimerCallback, TimerHandle, VirtualClock } from './platform/clock/clock.ts';
export type {
  AroundDelivery,
  DeliveryResponse,
  SentDelivery,
} from './platform/sender/around-delivery.ts';
export type { UploadTransport } from './platform/files/upload-session.ts';
export type { RetryProfileName } from './platform/sender/retry.ts';
export type { Logger } from './platform/logger.ts';
export type { World } from './platform/state/world.ts';
export { StoreError } from './platform/store/store.ts';
export type { StoreErrorCode } from './platform/store/store.ts';
