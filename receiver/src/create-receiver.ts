import { trueOrFalse } from './argument-checks.ts';
import type { ReceiverStats } from './processing/processing.ts';
import { PROCESSOR_OPTIONS, platformSettings } from './runs/platform-settings.ts';
import type { Ingress, MISDIRECTED } from './receive/ingress.ts';
import { bodyLimits } from './receive/ingress-settings.ts';
import { processingOf, receivingOf } from './processing/receiver-parts.ts';
import type { ReceiverOptions } from './runs/receiver-options.ts';
import { RECEIVING_OPTIONS } from './runs/create-ingress.ts';
import { SOURCE } from './runs/event-content.ts';
import { PlatformSource, SECRET_OPTIONS } from './runs/platform.ts';
import type { RunProcessing } from './runs/processor.ts';
import { requireRuntime } from './runtime.ts';
import { severalSources } from './several-sources.ts';
import type { Sources, SourcesOptions, SourcesReceiver } from './several-sources.ts';
import { StoredProcessor } from './processing/stored-processor.ts';

/** Receives deliveries and calls the handlers for their events. */
export interface Receiver<Tx = unknown>
  extends RunProcessing<Tx>, Pick<Ingress, 'receive' | typeof MISDIRECTED | 'signatureHeaders'> {
  /** Returns what `stats()` of a processor returns, and how many deliveries were refused. */
  stats(): Promise<ReceiverStats>;
}

// Requirements: receiver.valid.acknowledged, receiver.answers-quickly,
// receiver.processes-afterwards, receiver.duplicate.acknowledged, receiver.duplicate.single-effect,
// receiver.order.not-by-arrival, receiver.test-event.not-real, signature.secret.replacement.
/**
 * Creates a receiver for one webhook endpoint, or with `sources` for those of several senders. Put
 * it behind a web server with an adapter (`nodeHandler`, `koaMiddleware`, `fastifyPlugin`,
 * `fetchHandler`, `lambdaHandler`), or call `receive()` with the raw request. Until `start()` has
 * resolved, and after `close()`, every request gets 503.
 *
 * @throws {TypeError} When an option is invalid or unknown; the message names the option.
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { createReceiver } from '@hookproof/receiver';
 * import { nodeHandler } from '@hookproof/receiver/node';
 * import { sqliteStore } from '@hookproof/receiver/sqlite';
 *
 * export async function listen(): Promise<void> {
 *   const receiver = createReceiver({
 *     secrets: process.env['WEBHOOK_SECRET'] ?? '',
 *     store: sqliteStore({ file: 'events.db' }),
 *     handlers: { completed: ({ data }) => console.log(data.run.id, data.run.output) },
 *     onError: console.error,
 *   });
 *   await receiver.start();
 *   createServer(nodeHandler(receiver)).listen(3000);
 *   process.once('SIGTERM', () => receiver.close().then(() => process.exit()));
 * }
 * ```
 */
export function createReceiver<Tx>(options: ReceiverOptions<Tx>): Receiver<Tx>;
export function createReceiver<Named extends Sources, Tx>(
  options: SourcesOptions<Named, Tx>,
): SourcesReceiver<Named, Tx>;
export function createReceiver<Tx>(
  options: ReceiverOptions<Tx> | SourcesOptions<Sources, Tx>,
): Receiver<Tx> | SourcesReceiver<Sources, Tx> {
  requireRuntime();
  return hasSources(options) ? severalSources(options) : oneEndpoint(options);
}

function hasSources<Tx>(
  options: ReceiverOptions<Tx> | SourcesOptions<Sources, Tx>,
): options is SourcesOptions<Sources, Tx> {
  return typeof options === 'object' && options !== null && 'sources' in options;
}

function oneEndpoint<Tx>(options: ReceiverOptions<Tx>): Receiver<Tx> {
  const names = [...PROCESSOR_OPTIONS, ...RECEIVING_OPTIONS, ...SECRET_OPTIONS, 'explainRefusals'];
  const { settings, on } = platformSettings(options, names);
  const { clock } = settings.worker;
  const explains = trueOrFalse('explainRefusals', options.explainRefusals, false);
  const limits = bodyLimits(options);
  const processor = new StoredProcessor(settings);
  const { report } = processor.inbox;
  const { accept } = processor;
  const source = new PlatformSource(options);
  const host = { ...limits, clock, report, others: new Map<string, readonly string[]>(), accept };
  const ingress = source.ingress(SOURCE, host, explains);
  return {
    ...processingOf(processor, [ingress]),
    ...receivingOf(ingress),
    on,
  };
}
