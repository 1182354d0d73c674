import { edgeOf } from './order/run-edge.ts';
import type { EventContent } from './stores/store.ts';
import { decodeEvent } from './verify/decode-event.ts';
import { WebhookVerificationError } from './verify/errors.ts';

/** Returns what a verified body is: an event of a run, a single event, or not an event. */
export function contentOf(body: Uint8Array, id: string): EventContent {
  try {
    const event = decodeEvent(body, id);
    if (event.type === 'unknown' || event.test) return { kind: 'single' };
    return { kind: 'run', runId: event.data.run.id, edge: edgeOf(event) };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { kind: 'invalid', error: `${error.code}: ${error.message}` };
  }
}
