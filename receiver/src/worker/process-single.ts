import { WebhookVerificationError } from '../errors.ts';
import { edgeOf } from '../order/run-edge.ts';
import type { LeasedWork, OpenEvent } from '../stores/store.ts';
import { decodeEvent } from '../verify/decode-event.ts';
import type { UnknownEvent, WebhookEvent } from '../verify/webhook-event.ts';
import { handleEvent } from './handle-event.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** Decodes an event and files it under its run, unless it is a test, unknown or no event at all. */
export async function processSingle(
  { lease, open }: LeasedWork,
  settings: WorkerSettings,
): Promise<void> {
  const { store, handlers } = settings;
  const [stored] = open;
  if (stored === undefined) return;
  const event = decoded(stored);
  if (event instanceof WebhookVerificationError) {
    const error = `${event.code}: ${event.message}`;
    const message = `An authentic delivery was set aside: ${error} See deadLetters().`;
    const about = { eventId: stored.id, runId: null, cause: event };
    settings.report({ ...about, code: 'event_quarantined', message });
    await store.deadLetter(lease, stored.id, { reason: 'event_quarantined', error });
    await store.release(lease);
  } else if (event.type !== 'unknown' && !event.test) {
    await store.place(lease, stored.id, event.data.run.id, edgeOf(event));
  } else {
    const context = { attempt: stored.attempts + 1 };
    const call = async () => {
      if (event.test) await handlers.test?.(event, context);
      else if (event.type === 'unknown') await handleUnknown(event, context, settings);
      return { runSettled: false };
    };
    await handleEvent({ lease, event: stored, runId: null, call }, settings);
    await store.release(lease);
  }
}

function decoded(stored: OpenEvent): WebhookEvent | WebhookVerificationError {
  try {
    return decodeEvent(stored.body, stored.id);
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error;
    throw error;
  }
}

function handleUnknown(
  event: UnknownEvent,
  context: { readonly attempt: number },
  { handlers, report }: WorkerSettings,
): unknown {
  if (handlers.unknown !== undefined) return handlers.unknown(event, context);
  const message =
    'An event of a type or version that this release does not know was passed over: ' +
    'add a handler named unknown, or update the package.';
  report({ code: 'event_unknown', message, eventId: event.id, runId: null });
  return undefined;
}
