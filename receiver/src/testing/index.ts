export { checkSource } from './check-source.ts';
export type { CheckedSource, SignDelivery } from './check-source.ts';
export { runCreatedEvent, runStatusChangedEvent } from './run-events.ts';
export type { RunEventOverrides, StatusChangeOverrides } from './run-events.ts';
export { runTimeline } from './run-timeline.ts';
export type { RunTimelineOptions } from './run-timeline.ts';
export { sign, signEvent } from './sign.ts';
export type { SignEventOptions, SignOptions, SignedDelivery, SignedHeaders } from './sign.ts';
export type { ReceivingEnd, TargetResponse } from './delivery-target.ts';
export type { DeliveryOutcome } from './delivery-rules.ts';
export { testReceiver } from './test-receiver.ts';
export type {
  HandledEvent,
  SignedEvent,
  Signers,
  StartedTest,
  TestReceiver,
  TestReceiverOptions,
  TestSources,
  TestSourcesOptions,
} from './test-receiver.ts';
export { githubSigner, platformSigner, standardWebhooksSigner, stripeSigner } from './signers.ts';
export type {
  GitHubTestEvent,
  PlatformSignerOptions,
  SignedRequest,
  Signer,
  SignerOptions,
  StandardWebhooksTestEvent,
  StripeTestEvent,
} from './signers.ts';
export { testSender } from './test-sender.ts';
export type {
  FaultyAttempt,
  SendingTarget,
  SendOptions,
  SentDelivery,
  SigningSenderOptions,
  TestSender,
  TestSenderOptions,
} from './test-sender.ts';
export { virtualClock } from './virtual-clock.ts';
export type { VirtualClock } from './virtual-clock.ts';
