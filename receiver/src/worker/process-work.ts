import { edgeOf } from '../order/run-edge.ts';
import type { LeasedWork, OpenEvent } from '../stores/store.ts';
import { decodeEvent } from '../verify/decode-event.ts';
import type { UnknownEvent, WebhookEvent } from '../verify/decode-event.ts';
import { WebhookVerificationError } from '../verify/errors.ts';
import { handleEvent } from './handle-event.ts';
import { handleRunEvent } from './handle-run-event.ts';
import { LeasedRun } from './leased-run.ts';
import { nextEvent } from './next-event.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** Handles the due events of one run, one after the other, then releases the run. */
export async function processRun(
  work: LeasedWork,
  settings: WorkerSettings,
  isStopping: () => boolean,
): Promise<void> {
  const { store, clock } = settings;
  const run = new LeasedRun(work);
  for (;;) {
    const next = nextEvent(run, { ...settings, now: clock.now() });
    if (next.do === 'wait') {
      await store.release(work.lease, { ids: run.waitingUntil(next.until), dueAt: next.until });
      return;
    }
    if (next.do === 'stop' || isStopping()) {
      await store.release(work.lease);
      return;
    }
    const handling = await handleRunEvent(run, next.event, settings);
    if (handling.outcome === 'lost') return;
    run.note(next.event, handling);
  }
}

/**
 * Decodes a single event and assigns it to its run. Test events and unknown events are handled here,
 * and an invalid one is quarantined.
 */
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
    const message = `An authentic delivery was quarantined. ${error} See deadLetters().`;
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
    'Event must have a type and version that this release knows, got another; it was skipped. ' +
    'Add a handler named unknown, or update the package.';
  report({ code: 'event_unknown', message, eventId: event.id, runId: null });
  return undefined;
}
