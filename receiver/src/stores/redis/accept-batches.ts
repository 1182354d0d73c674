import { bodyDigest } from '../repetition.ts';
import type { AcceptOutcome, IncomingEvent } from '../store.ts';
import { detailsOf, listIn, recordIn } from './replies.ts';

const MIN_EVENTS = 16;
const MAX_EVENTS = 256;
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_BATCHES = 2;

/** An event whose body only this store has. */
type Accepted = IncomingEvent & { readonly body: Buffer };

interface Waiting {
  readonly args: readonly (string | Buffer)[];
  readonly digest: string;
  readonly bytes: number;
  readonly resolve: (outcome: AcceptOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Sends the events of simultaneous callers as one script call, so that they share its costs. */
export class AcceptBatches {
  readonly #send: (args: readonly (string | Buffer)[]) => Promise<unknown>;
  #waiting: Waiting[] = [];
  #isScheduled = false;
  #inProgress = 0;

  /** @param send - runs `ACCEPT` with the arguments of some events, and resolves with its reply */
  constructor(send: (args: readonly (string | Buffer)[]) => Promise<unknown>) {
    this.#send = send;
  }

  accept(event: Accepted): Promise<AcceptOutcome> {
    const digest = bodyDigest(event.body);
    const args = acceptArguments(event, digest);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ args, digest, bytes: event.body.length, resolve, reject });
      this.#schedule();
    });
  }

  /** Waits for the end of this turn, so that everything that arrives in it is in one batch. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#start();
    });
  }

  #start(): void {
    while (this.#waiting.length > 0 && this.#inProgress < MAX_BATCHES) {
      const batch = this.#nextBatch();
      this.#inProgress += 1;
      void this.#write(batch);
    }
  }

  #nextBatch(): readonly Waiting[] {
    // Half of them, so that the server works on one batch while the next is prepared.
    const share = Math.ceil(this.#waiting.length / MAX_BATCHES);
    const maxEvents = Math.min(Math.max(share, MIN_EVENTS), MAX_EVENTS);
    let bytes = 0;
    let size = 0;
    for (const waiting of this.#waiting) {
      bytes += waiting.bytes;
      if (size > 0 && (bytes > MAX_BYTES || size === maxEvents)) break;
      size += 1;
    }
    return this.#waiting.splice(0, size);
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    try {
      const replies = listIn(await this.#send(batch.flatMap(({ args }) => args)));
      for (const [index, { digest, resolve }] of batch.entries()) {
        resolve(outcomeIn(replies[index], digest));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#inProgress -= 1;
    if (this.#waiting.length > 0) this.#schedule();
  }
}

function outcomeIn(reply: unknown, digest: string): AcceptOutcome {
  if (reply === 1) return 'new';
  return recordIn(reply).digest === digest ? 'duplicate' : 'conflict';
}

/** Returns the arguments of one event for `ACCEPT`. */
function acceptArguments(event: Accepted, digest: string): readonly (string | Buffer)[] {
  const { id, body, content } = event;
  const job = content.kind === 'run' ? `run:${content.runId}` : `event:${id}`;
  const isInvalid = content.kind === 'invalid';
  const error = isInvalid ? `event_quarantined,${content.error}` : '';
  const details = detailsOf(event, digest);
  const automation = (content.kind === 'run' && content.automationId) || '';
  return [id, job, isInvalid ? 'd' : 'o', details, body, error, automation];
}
