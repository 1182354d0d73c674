export { compareTimes, parseTime } from '../time.ts';
export type { ExactTime } from '../time.ts';
export { classifyArrival } from './classify-arrival.ts';
export { resolveTimeline } from './resolve-timeline.ts';
export { edgeOf } from './run-edge.ts';
export type { RunEdge } from './run-edge.ts';
export { createTimelineResolver } from './timeline-resolver.ts';
export type { TimelineResolver } from './timeline-resolver.ts';
export type { Arrival, Gap, Timeline } from './timeline.ts';
