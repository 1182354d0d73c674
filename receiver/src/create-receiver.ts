import type { Processing, ReceiverStats } from './processing.ts';
import { VerifyingIngress } from './receive/ingress.ts';
import type { Ingress } from './receive/ingress.ts';
import { checkedSettings } from './receive/ingress-options.ts';
import { requireRuntime } from './runtime.ts';
import { receiverSettings } from './receiver-options.ts';
import type { ReceiverOptions } from './receiver-options.ts';
import { StoredProcessor } from './stored-processor.ts';

/** Receives deliveries and calls the handlers for their events. */
export interface Receiver<Tx = unknown>
  extends Processing<Tx>, Pick<Ingress, 'receive' | 'misdirected'> {
  /** Returns what `stats()` of a processor returns, and how many deliveries were refused. */
  stats(): Promise<ReceiverStats>;
}

// Requirements: receiver.valid.acknowledged, receiver.answers-quickly,
// receiver.processes-afterwards, receiver.duplicate.acknowledged, receiver.duplicate.single-effect,
// receiver.order.not-by-arrival, receiver.test-event.not-real, signature.secret.replacement.
/**
 * Creates a receiver for one webhook endpoint. Put it behind a web server with an adapter
 * (`nodeHandler`, `koaMiddleware`, `fastifyPlugin`, `fetchHandler`, `lambdaHandler`), or call
 * `receive()` with the raw request. Until `start()` has resolved, and after `close()`, every request
 * gets 503.
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
export function createReceiver<Tx>(options: ReceiverOptions<Tx>): Receiver<Tx> {
  requireRuntime();
  const settings = receiverSettings(options);
  const processor = new StoredProcessor(settings.processor);
  const ingress = new VerifyingIngress({
    ...checkedSettings({
      ...settings.ingress,
      verifier: settings.verifier,
      sink: processor,
    }),
    report: processor.report,
    explain: settings.explain,
  });
  return {
    idle: processor.idle,
    work: processor.work,
    on: processor.on,
    stats: async () => ({ ...(await processor.stats()), refused: ingress.refused }),
    byHour: processor.byHour,
    waiting: processor.waiting,
    inspect: processor.inspect,
    runs: processor.runs,
    body: processor.body,
    timeline: processor.timeline,
    deadLetters: processor.deadLetters,
    redrive: processor.redrive,
    replay: processor.replay,
    discard: processor.discard,
    pause: processor.pause,
    resume: processor.resume,
    report: processor.report,
    receive: ingress.receive,
    misdirected: ingress.misdirected,
    async start(how) {
      await processor.start(how);
      ingress.open();
    },
    close() {
      // Refuses requests at once, also while the processor waits for its store.
      const requests = ingress.close();
      return processor.closeAfter(() => requests);
    },
  };
}
