import { setTimeout as sleep } from 'node:timers/promises';

import { TERMINAL_RUN_STATUSES } from '@hookproof/spec';

import type { Incoming } from '../../http/message.ts';
import { respond } from '../edit.ts';
import type { Variant } from '../transformation.ts';
import { isDelivery } from './arrival.ts';
import { observing } from './observer.ts';
import type { Entry, Listing } from './observer.ts';

const TAKES = 'receiver.order.not-by-arrival';

/** Receivers with another observer, or that ignore what they may ignore. */
export const observerVariants: readonly Variant[] = [
  listed('lists-other-events', 'Lists events of other senders too.', (handled) => [
    { id: 'whev_of_another_run', runId: 'exec_other', type: 'run.created', status: 'pending' },
    ...handled,
    { id: 'order_1', runId: null, type: 'order.paid', status: null },
  ]),
  listed('lists-more-members', 'Lists more about each event.', (handled) =>
    handled.map((entry) => ({ ...entry, at: '2026-07-01T12:00:00Z', attempts: 1 })),
  ),
  listed('lists-ids-only', 'Lists ids alone.', (handled) => handled.map(({ id }) => ({ id }))),
  listed('lists-by-run', 'Lists the events of one run after those of another.', (handled) => {
    const runs = [...new Set(handled.map(({ runId }) => runId))].toReversed();
    return runs.flatMap((run) => handled.filter(({ runId }) => runId === run));
  }),
  listed(
    'older-events-ignored',
    'Ignores events that are older than one it has handled.',
    newestOnly,
  ),
  waiting('observer-slow', 'Takes 100 ms for each list.', 100),
  unavailable('observer-limited', 'Responds 429 to every third request for the list.', 429),
  unavailable('observer-unavailable', 'Responds 503 to every third request for the list.', 503),
  late(),
];

function listed(id: string, does: string, listing: Listing): Variant {
  return { id, side: 'receiver', does, takes: TAKES, open: () => observing(listing) };
}

/** Of each run, the events up to the newest that had arrived first; the end in any case. */
function newestOnly(handled: readonly Entry[], delivered: Parameters<Listing>[1]) {
  const arrivals = delivered.filter(({ isAccepted }) => isAccepted).map(({ event }) => event);
  const isOlder = ({ id, runId }: Entry): boolean => {
    const own = arrivals.findIndex((event) => event.id === id);
    return arrivals
      .slice(0, Math.max(own, 0))
      .some(
        ({ run }) =>
          run['id'] === runId && TERMINAL_RUN_STATUSES.some((status) => status === run['status']),
      );
  };
  return handled.filter((entry) => !isOlder(entry));
}

function waiting(id: string, does: string, milliseconds: number): Variant {
  return {
    id,
    side: 'receiver',
    does,
    takes: 'receiver.processes-afterwards',
    open: () => ({
      receiver: async (request, next) => {
        if (!isDelivery(request)) await sleep(milliseconds);
        return next(request);
      },
    }),
  };
}

function unavailable(id: string, does: string, status: number): Variant {
  return {
    id,
    side: 'receiver',
    does,
    takes: 'delivery.retry.schedule',
    open: () => {
      let requests = 0;
      return {
        receiver: async (request, next): Promise<Incoming> => {
          if (isDelivery(request)) return next(request);
          requests += 1;
          return requests % 3 === 0
            ? respond(status, undefined, [['retry-after', '0']])
            : next(request);
        },
      };
    },
  };
}

/** The list is as old as 300 ms. */
function late(): Variant {
  return {
    id: 'observer-late',
    side: 'receiver',
    does: 'Shows an effect 300 ms after it.',
    takes: 'receiver.processes-afterwards',
    open: () => {
      const known: { readonly at: number; readonly response: Incoming }[] = [];
      return {
        receiver: async (request, next) => {
          const response = await next(request);
          if (isDelivery(request)) return response;
          const now = performance.now();
          known.push({ at: now, response });
          const old = known.findLast(({ at }) => now - at >= 300);
          return old?.response ?? respond(200, { handled: [] });
        },
      };
    },
  };
}
