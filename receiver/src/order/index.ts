export { resolveTimeline } from './resolve-timeline.ts';
export { edgeOf } from './run-edge.ts';
export type { Gap, RunEdge, Timeline } from './timeline.ts';
