export { resolveTimeline } from './resolve-timeline.ts';
export { edgeOf } from './run-edge.ts';
export type { RunEdge } from './run-edge.ts';
export type { Gap, Timeline } from './timeline.ts';
