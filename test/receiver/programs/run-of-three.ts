import type { RunEvent } from '@hookproof/receiver';
import { runTimeline } from '@hookproof/receiver/testing';

/** The events of a run, with the same ids in each process. */
export const RUN: readonly RunEvent[] = runTimeline(['pending', 'running', 'completed']);
