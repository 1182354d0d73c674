import { ACCEPT_CHANNEL, traced } from '../diagnostics.ts';
import type { AcceptTrace } from '../diagnostics.ts';
import type { ReportProblem } from '../problems.ts';
import type { AcceptOutcome } from '../stores/store.ts';

/** What is known of a verified event. */
interface AcceptedEvent {
  readonly id: string;
  readonly kind: AcceptTrace['kind'];
  readonly runId: string | null;
  /** Why it cannot be handled; `null` when it can. */
  readonly error: string | null;
}

/** Keeps an event with `put`, publishes that, and reports what its sender must know. */
export async function keepEvent(
  { id, kind, runId, error }: AcceptedEvent,
  put: () => Promise<AcceptOutcome>,
  report: ReportProblem,
): Promise<AcceptOutcome> {
  const about: AcceptTrace = { eventId: id, kind, outcome: null };
  const outcome = await traced(ACCEPT_CHANNEL, about, async (trace) => {
    trace.outcome = await put();
    return trace.outcome;
  });
  if (outcome === 'conflict') {
    const message =
      'Event id must be new or repeat the same bytes, got other bytes under a known id. The ' +
      'delivery was refused. Compare the deliveries of this id in the dashboard.';
    report({ code: 'event_id_conflict', message, eventId: id, runId });
  }
  if (outcome === 'new' && error !== null) {
    const message = `Event became a dead letter: it cannot be handled. ${error}`;
    report({ code: 'event_quarantined', message, eventId: id, runId });
  }
  return outcome;
}
