export { classifyArrival } from './classify-arrival.ts';
export type { Arrival } from './classify-arrival.ts';
export { compareIsoTimes, parseIsoTime } from './iso-time.ts';
export type { IsoTime } from './iso-time.ts';
export { resolveTimeline } from './resolve-timeline.ts';
export type { Gap, Timeline } from './resolve-timeline.ts';
export { edgeOf } from './run-edge.ts';
export type { RunEdge } from './run-edge.ts';
