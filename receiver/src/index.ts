export { StoreError } from './stores/store-error.ts';
export type { StoreErrorCode } from './stores/store-error.ts';
export type {
  AcceptOutcome,
  DeadLetter,
  DeadLetterReason,
  EventState,
  IncomingEvent,
  KnownEvent,
  Lease,
  LeasedWork,
  OpenEvent,
  Store,
} from './stores/store.ts';
