import { INBOX } from './processing.ts';
import type { Processing, ReceiverStats } from './processing.ts';
import { MISDIRECTED } from '../receive/ingress.ts';
import type { Ingress } from '../receive/ingress.ts';
import type { StoredProcessor } from './stored-processor.ts';

/** An ingress as its receiver has it. */
export interface StartedIngress extends Omit<Ingress, typeof MISDIRECTED> {
  readonly refused: number;
  readonly misdirected: Ingress[typeof MISDIRECTED];
  open(): void;
}

/** Returns what an adapter needs of an ingress. */
export function receivingOf({
  receive,
  misdirected,
  signatureHeaders,
}: StartedIngress): Pick<Ingress, 'receive' | typeof MISDIRECTED | 'signatureHeaders'> {
  return { receive, [MISDIRECTED]: misdirected, signatureHeaders };
}

/** Returns what a receiver does apart from receiving. */
export function processingOf<Tx>(
  processor: StoredProcessor<Tx>,
  ingresses: readonly StartedIngress[],
): Processing & { stats(): Promise<ReceiverStats> } {
  return {
    sources: processor.sources,
    idle: processor.idle,
    work: processor.work,
    async stats() {
      const refused = ingresses.reduce((sum, ingress) => sum + ingress.refused, 0);
      return { ...(await processor.stats()), refused };
    },
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
    [INBOX]: processor.inbox,
    async start(how) {
      await processor.start(how);
      for (const ingress of ingresses) ingress.open();
    },
    close() {
      // Refuses requests at once, also while the processor waits for its store.
      const requests = Promise.all(ingresses.map((ingress) => ingress.close()));
      return processor.closeAfter(async () => void (await requests));
    },
  };
}
