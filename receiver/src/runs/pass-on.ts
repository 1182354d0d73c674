import type { ReportProblem } from '../problems.ts';
import { keepEvent } from '../receive/keep-event.ts';
import type { AcceptOutcome } from '../stores/store.ts';
import { decodeContent } from './event-content.ts';
import type { IncomingEvent } from './event-content.ts';
import type { Sink } from './sink.ts';

/** Decodes a verified delivery, and passes it on. */
export async function passOn(
  { id, body, timestamp }: Omit<IncomingEvent, 'content'>,
  sink: Sink,
  report: ReportProblem,
): Promise<AcceptOutcome> {
  const content = decodeContent(body, id);
  const runId = content.kind === 'run' ? content.runId : null;
  const error = content.kind === 'invalid' ? content.error : null;
  const put = async (): Promise<AcceptOutcome> =>
    (await sink.put({ id, body, timestamp, content })) ?? 'new';
  return keepEvent({ id, kind: content.kind, runId, error }, put, report);
}
