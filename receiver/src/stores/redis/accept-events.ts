import { AcceptBatches } from '../accept-batches.ts';
import type { Waiting } from '../accept-batches.ts';
import { bodyDigest } from '../repetition.ts';
import type { AcceptOutcome, IncomingEvent } from '../store.ts';
import { detailsOf, listIn, recordIn } from './replies.ts';

/** A script of more would keep the server from other clients for some milliseconds. */
const MAX_EVENTS = 256;

/** An event whose body only this store has. */
type Accepted = IncomingEvent & { readonly body: Buffer };

type Digested = Accepted & { readonly digest: string };

/**
 * Returns a function that accepts an event.
 *
 * @param run - runs `ACCEPT` with the arguments of some events, and resolves with its reply
 */
export function acceptingEvents(
  run: (args: readonly (string | Buffer)[]) => Promise<unknown>,
): (event: Accepted) => Promise<AcceptOutcome> {
  const send = async (batch: readonly Waiting<Digested>[]): Promise<void> => {
    try {
      const replies = listIn(await run(batch.flatMap(({ event }) => acceptArguments(event))));
      for (const [index, { event, resolve }] of batch.entries()) {
        resolve(outcomeIn(replies[index], event.digest));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const batches = new AcceptBatches<Digested>(MAX_EVENTS, send);
  return (event) => batches.accept({ ...event, digest: bodyDigest(event.body) });
}

function outcomeIn(reply: unknown, digest: string): AcceptOutcome {
  if (reply === 1) return 'new';
  return recordIn(reply).digest === digest ? 'duplicate' : 'conflict';
}

/** Returns the arguments of one event for `ACCEPT`. */
function acceptArguments(event: Digested): readonly (string | Buffer)[] {
  const { id, body, content, digest, timestamp } = event;
  const job = content.kind === 'run' ? `run:${content.runId}` : `event:${id}`;
  const isInvalid = content.kind === 'invalid';
  const error = isInvalid ? `event_quarantined,${content.error}` : '';
  const details = detailsOf(event, digest);
  const automation = (content.kind === 'run' && content.automationId) || '';
  return [id, job, isInvalid ? 'd' : 'o', details, body, error, automation, `${timestamp}000`];
}
