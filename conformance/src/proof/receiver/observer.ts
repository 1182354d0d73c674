import { isRecord } from '../../http/message.ts';
import type { Incoming, Outgoing } from '../../http/message.ts';
import { jsonOf, withJson } from '../edit.ts';
import type { Hooks } from '../../http/between.ts';
import { eventOf, isAccepted, isDelivery } from './arrival.ts';
import type { EventView } from './arrival.ts';

/** One delivery that the receiver got, in the order of the responses. */
export interface Delivered {
  readonly event: EventView;
  readonly isAccepted: boolean;
  /** Whether another delivery of the same event was in progress. */
  readonly isSimultaneous: boolean;
}

/** An entry of the observer. */
export type Entry = Readonly<Record<string, unknown>>;

/** What the observer lists in place of what the target's observer lists. */
export type Listing = (
  handled: readonly Entry[],
  delivered: readonly Delivered[],
) => readonly unknown[];

/** The hook of a receiver whose observer shows another list. */
export function observing(listing: Listing): Pick<Hooks, 'receiver'> {
  const delivered: Delivered[] = [];
  const inProgress: string[] = [];
  return {
    receiver: async (request, next) => {
      if (isDelivery(request)) return deliver(request, next);
      return relisted(await next(request), (handled) => listing(handled, delivered));
    },
  };

  async function deliver(
    request: Outgoing,
    next: (request: Outgoing) => Promise<Incoming>,
  ): Promise<Incoming> {
    const event = eventOf(request);
    if (event === null) return next(request);
    const isSimultaneous = inProgress.includes(event.id);
    inProgress.push(event.id);
    try {
      const response = await next(request);
      delivered.push({ event, isAccepted: isAccepted(response), isSimultaneous });
      return response;
    } finally {
      inProgress.splice(inProgress.indexOf(event.id), 1);
    }
  }
}

/** The entry of an event. */
export function entryOf({ id, type, run }: EventView): Entry {
  return { id, runId: run['id'], type, status: run['status'] };
}

function relisted(
  response: Incoming,
  listing: (handled: readonly Entry[]) => readonly unknown[],
): Incoming {
  const json = jsonOf(response);
  const handled = isRecord(json) ? json['handled'] : undefined;
  if (!isRecord(json) || !Array.isArray(handled)) return response;
  return withJson(response, { ...json, handled: listing(handled.filter(isRecord)) });
}
