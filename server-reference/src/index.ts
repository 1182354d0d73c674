export { createServer } from './server.ts';
export type { ReferenceServer, SeededServer } from './server.ts';
export type { ServerOptions } from './server-options.ts';
export type { Activity } from './lab/activity/feed.ts';
export { realClock } from './clock/clock.ts';
export { virtualClock } from './clock/virtual-clock.ts';
export type { Clock, TimerCallback, TimerHandle, VirtualClock } from './clock/clock.ts';
export type {
  AttemptOrder,
  AttemptResult,
  DeliveryInterceptor,
  DeliveryRequest,
  SendAttempt,
} from './events/order.ts';
export type { UploadTransport } from './api/services.ts';
export type { RetryProfileName } from './events/retry.ts';
export type { Logger } from './logger.ts';
export type { World, WorldRecord } from './store/world.ts';
export { ControlError } from './lab/control/control-client.ts';
export { StoreError } from './store/store.ts';
export type { StoreErrorCode } from './store/store.ts';
