import { optionsObject, requireString } from '../argument-checks.ts';
import { platformSettings } from './platform-settings.ts';
import type { Processor, ProcessorOptions, QueuedDelivery } from './processor.ts';
import { INBOX } from '../processing/processing.ts';
import { newEvent } from './event-content.ts';
import { passOn } from './pass-on.ts';
import { requireRuntime } from '../runtime.ts';
import { StoredProcessor } from '../processing/stored-processor.ts';
import { HEADER_FORMS } from '../verify/header-forms.ts';
import { requireRawBytes } from '../verify/raw-body.ts';

// Requirements: receiver.processes-afterwards, receiver.duplicate.single-effect,
// receiver.order.not-by-arrival, receiver.test-event.not-real.
/**
 * Creates a processor: the half of a receiver behind the HTTP endpoint. Feed it from a queue that
 * an ingress (`createIngress`) fills. It deduplicates by its store, so the window of the queue does
 * not matter.
 *
 * @throws {TypeError} When an option is invalid or unknown; the message names the option.
 * @example
 * ```ts
 * import { createProcessor } from '@hookproof/receiver';
 * import { sqliteStore } from '@hookproof/receiver/sqlite';
 *
 * export const processor = createProcessor({
 *   store: sqliteStore({ file: 'events.db' }),
 *   mode: 'ordered',
 *   handlers: { completed: ({ data }) => console.log(data.run.id, data.run.output) },
 * });
 * process.once('SIGTERM', () => processor.close().then(() => process.exit()));
 * ```
 */
export function createProcessor<Tx>(options: ProcessorOptions<Tx>): Processor<Tx> {
  requireRuntime();
  const { settings, on } = platformSettings(options);
  const stored = new StoredProcessor(settings);
  const { accept, inbox } = stored;
  const put: Processor['put'] = (event) => accept(newEvent(event));
  return Object.assign(stored, {
    [INBOX]: inbox,
    on,
    put,
    async process(delivery: QueuedDelivery) {
      requireDelivery(delivery);
      return passOn(delivery, { put }, inbox.report);
    },
  });
}

/** @throws {TypeError} When it is not what a queue got from an ingress. */
function requireDelivery(delivery: QueuedDelivery): void {
  optionsObject(delivery, ['id', 'body', 'timestamp'], 'delivery');
  const { id, body, timestamp } = delivery;
  requireString('id', id, 'Pass the header webhook-id.');
  requireRawBytes(body, 'body');
  // A header cannot be that of milliseconds, with which the event would be remembered for ever.
  if (typeof timestamp === 'number' && HEADER_FORMS.timestamp[0].test(String(timestamp))) return;
  throw new TypeError(
    `timestamp must be whole seconds since the epoch, got ${JSON.stringify(timestamp)}. Pass the header webhook-timestamp as a number.`,
  );
}
