import { timelineLaws } from './timeline-laws.ts';

timelineLaws(1);
