export { realClock } from './clock.ts';
export type { Clock, TimerHandle } from './clock.ts';
export { createProcessor } from './runs/create-processor.ts';
export type {
  Processing,
  ProcessorStats,
  ReceiverStats,
  ChangeOptions,
  PageOptions,
  RunFilter,
  SourcePause,
  StartOptions,
  WorkOptions,
} from './processing/processing.ts';
export { createReceiver } from './create-receiver.ts';
export type { Receiver } from './create-receiver.ts';
export type {
  AcceptTrace,
  Enclosing,
  FetchRunTrace,
  HandleTrace,
  ProblemMessage,
  ReceiveTrace,
} from './diagnostics.ts';
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
export type { Problem, ProblemCode } from './problems.ts';
export type { Ingress, ReceiveRequest, Receiving } from './receive/ingress.ts';
export type { IngressLimits } from './receive/ingress-settings.ts';
export { createIngress } from './runs/create-ingress.ts';
export type { IngressOptions } from './runs/create-ingress.ts';
export type { Sink } from './runs/sink.ts';
export { platform } from './runs/platform.ts';
export type { PlatformOptions, PlatformSource, SecretOptions } from './runs/platform.ts';
export type { RunOptions } from './runs/run-settings.ts';
export type { NodeBodyStream, RequestBody, WebBodyStream } from './receive/request-body.ts';
export type { ReceiverResponse, RefusalCode, ResponseCode } from './receive/responses.ts';
export type { WorkingOptions } from './processing/working-options.ts';
export type {
  Processor,
  ProcessorOptions,
  QueuedDelivery,
  RunProcessing,
} from './runs/processor.ts';
export type { ReceiverOptions } from './runs/receiver-options.ts';
export type {
  AnySource,
  HandlersOf,
  ReceiverSource,
  Sources,
  SourcesOptions,
  SourcesReceiver,
} from './several-sources.ts';
export type { SourceEvent, SourceHandler, TypedHandlers } from './sources/source-event.ts';
export type { EventTypes, Source, SourceOptions, VerifiedEvent } from './sources/source.ts';
export { STORE_ERROR_CODES, StoreError } from './stores/store-error.ts';
export type { StoreErrorCode } from './stores/store-error.ts';
export type { EventContent, IncomingEvent } from './runs/event-content.ts';
export type { DeadLetterFilter, ReplayRequest, WaitingFilter } from './processing/event-filter.ts';
export type {
  DeadLetter,
  DeadLetterPage,
  RunPage,
  StoredEvent,
  StoredRun,
} from './processing/stored-event.ts';
export type {
  AcceptOutcome,
  Attempt,
  DeadLetterReason,
  EventState,
  HourCounts,
  KnownEvent,
  PastAttempt,
  Store,
  StoreStats,
} from './stores/store.ts';
export type { WaitingEvent, WaitingPage, WaitReason } from './processing/waiting-event.ts';
export type { UnknownEvent, WebhookEvent } from './verify/decode-event.ts';
export { WebhookVerificationError } from './verify/errors.ts';
export type { VerificationErrorCode, VerificationStage } from './verify/errors.ts';
export type { HeaderSource } from './verify/find-headers.ts';
export type { EventContext, ExecuteStatement } from './worker/event-context.ts';
export type {
  Handler,
  HandlerName,
  Handlers,
  HandlingContext,
  RunEventByStatus,
  RunEventWithStatus,
  SettledRun,
  SingleHandler,
  StatusHandlers,
} from './runs/handlers.ts';
export type { Mode } from './runs/next-in-order.ts';
export type { SchemaIssue, SchemaResult, StandardSchema } from './worker/standard-schema.ts';
export { GiveUp, RetryLater } from './worker/retry.ts';
export { withOutput } from './runs/with-output.ts';
export type { EventWithOutput } from './runs/with-output.ts';
