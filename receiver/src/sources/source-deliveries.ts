import type { ReportProblem } from '../problems.ts';
import { keepEvent } from '../receive/keep-event.ts';
import type { DeliverySource } from '../receive/ingress-settings.ts';
import type { AcceptOutcome, NewEvent } from '../stores/store.ts';
import { newSourceEvent } from './new-source-event.ts';
import { singleValues } from './single-values.ts';
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
    checkHeaders: (found) => singleValues(headers, found),
    verifySignature: (values, rawBody) => source.verify(values, rawBody, now()),
    // An event that cannot be kept throws here, before its promise: that is no failure of the store.
    keep(verified, rawBody) {
      const event = newSourceEvent(name, verified, rawBody);
      const { id, error } = event;
      const kind = error === null ? 'single' : 'invalid';
      return keepEvent({ id, kind, runId: null, error }, () => accept(event), report);
    },
  };
}
