import { ACCEPT_CHANNEL, traced } from '../diagnostics.ts';
import type { AcceptTrace } from '../diagnostics.ts';
import { authenticNoEvent, idConflict } from '../problems.ts';
import type { ReportProblem } from '../problems.ts';
import type { DeliverySource } from '../receive/ingress-settings.ts';
import type { AcceptOutcome, NewEvent } from '../stores/store.ts';
import { newSourceEvent } from './new-source-event.ts';
import { headerReader } from './read-headers.ts';
import type { Source, VerifiedEvent } from './source.ts';

/** How the deliveries of a source without runs are verified and kept. */
export function sourceDeliveries(
  name: string,
  source: Source,
  accept: (event: NewEvent) => Promise<AcceptOutcome>,
  { now, report }: { readonly now: () => number; readonly report: ReportProblem },
): DeliverySource<Readonly<Record<string, string>>, VerifiedEvent> {
  const { sender, headers, jsonSetting = '', retries } = source;
  return {
    sender,
    headers,
    jsonSetting,
    retries,
    checkHeaders: headerReader(source),
    verifySignature: (values, rawBody) => source.verify(values, rawBody, now()),
    async keep(verified, rawBody) {
      const event = newSourceEvent(name, verified, rawBody);
      const { id, error } = event;
      const kind = error === null ? 'single' : 'invalid';
      const about: AcceptTrace = { eventId: id, kind, outcome: null };
      const outcome = await traced(ACCEPT_CHANNEL, about, async (trace) => {
        trace.outcome = await accept(event);
        return trace.outcome;
      });
      if (outcome === 'conflict') report(idConflict(id));
      if (outcome === 'new' && error !== null) report(authenticNoEvent(id, error));
      return outcome;
    },
  };
}
