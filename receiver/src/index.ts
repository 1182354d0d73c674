export { realClock } from './clock.ts';
export type { Clock, TimerHandle } from './clock.ts';
export { createReceiver } from './create-receiver.ts';
export type { Receiver } from './create-receiver.ts';
export type { FetchedRun, FetchRun } from './fetch-run/fetched-run.ts';
export type { TerminalRunStatus } from './generated/constants.ts';
export type {
  AutomationType,
  RunCreatedEvent,
  RunEvent,
  RunSnapshot,
  RunStatus,
  RunStatusChangedEvent,
} from './generated/run-events.ts';
export { PROBLEM_CODES } from './problems.ts';
export type { Problem, ProblemCode, ReportProblem } from './problems.ts';
export type { BodyFailure, BodyLimits, ReceiveRequest } from './receive/receive-delivery.ts';
export type { ReceiverResponse, RefusalCode, ResponseCode } from './receive/responses.ts';
export type { ReceiverOptions, ResponseReport } from './receiver-options.ts';
export { STORE_ERROR_CODES, StoreError } from './stores/store-error.ts';
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
export type { UnknownEvent, WebhookEvent } from './verify/decode-event.ts';
export { WebhookVerificationError } from './verify/errors.ts';
export type { VerificationErrorCode, VerificationStage } from './verify/errors.ts';
export type { HeaderSource } from './verify/headers.ts';
export type {
  Handler,
  Handlers,
  HandlingContext,
  RunEventByStatus,
  RunEventWithStatus,
  SettledRun,
  SingleHandler,
  StatusHandlers,
} from './worker/handlers.ts';
export type { Mode } from './worker/next-event.ts';
