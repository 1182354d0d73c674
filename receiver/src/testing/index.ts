export { runCreatedEvent, runStatusChangedEvent } from './run-events.ts';
export type { RunEventOverrides, StatusChangeOverrides } from './run-events.ts';
export { runTimeline } from './run-timeline.ts';
export type { RunTimelineOptions } from './run-timeline.ts';
export { sign, signEvent } from './sign.ts';
export type { SignEventOptions, SignOptions, SignedDelivery, SignedHeaders } from './sign.ts';
