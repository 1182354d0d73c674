import { timelineLaws } from './timeline-laws.ts';

// The long run draws all of them.
timelineLaws(0.05);
