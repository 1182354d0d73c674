import { INBOX } from './processing.ts';
import type { Processor } from './processing.ts';
import { processorSettings } from './processor-options.ts';
import type { ProcessorOptions } from './processor-options.ts';
import { requireRuntime } from './runtime.ts';
import { StoredProcessor } from './stored-processor.ts';

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
  const processor = new StoredProcessor(processorSettings(options));
  return Object.assign(processor, { [INBOX]: processor.inbox });
}
