import { ACCEPT_CHANNEL, traced } from '../diagnostics.ts';
import type { AcceptTrace } from '../diagnostics.ts';
import { decodeContent } from './event-content.ts';
import type { IncomingEvent } from './event-content.ts';
import { idConflict, keptAsDeadLetter } from '../problems.ts';
import type { ReportProblem } from '../problems.ts';
import type { AcceptOutcome } from '../stores/store.ts';
import type { Sink } from './sink.ts';

/** Decodes a verified delivery, passes it on, and reports what became of it. */
export async function passOn(
  delivery: Omit<IncomingEvent, 'content'>,
  sink: Sink,
  report: ReportProblem,
): Promise<AcceptOutcome> {
  const { id, body, timestamp } = delivery;
  const { content, error } = decodeContent(body, id);
  const about: AcceptTrace = { eventId: id, kind: content.kind, outcome: null };
  const outcome = await traced(ACCEPT_CHANNEL, about, async (trace): Promise<AcceptOutcome> => {
    trace.outcome = (await sink.put({ id, body, timestamp, content })) ?? 'new';
    return trace.outcome;
  });
  if (outcome === 'conflict') {
    report(idConflict(id, content.kind === 'run' ? content.runId : null));
  }
  if (outcome === 'new' && error !== null) report(keptAsDeadLetter(id, error));
  return outcome;
}
