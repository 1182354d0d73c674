import { setTimeout as sleep } from 'node:timers/promises';

import { chain } from '@hookproof/conformance/hooks';
import type { Incoming } from '@hookproof/conformance/hooks';
import { perRun, variant } from '@hookproof/conformance/proof/kit/defect';
import type { Open, Variant } from '@hookproof/conformance/proof/kit/defect';
import { respond } from '@hookproof/conformance/proof/kit/message';
import { editHandled, isDelivery, onRequest } from '@hookproof/conformance/proof/kit/receiver';
import type { Delivered, Entry } from '@hookproof/conformance/proof/kit/receiver';
import { TERMINAL_RUN_STATUSES } from '@hookproof/spec';

const ORDER = 'receiver.order.not-by-arrival';
const AFTERWARDS = 'receiver.processes-afterwards';
const RETRIED = 'delivery.retry.schedule';
const IGNORED = 'receiver.ignored-kinds';
const ENDS: readonly unknown[] = TERMINAL_RUN_STATUSES;

/** Receivers with another observer, or that ignore what they may ignore. */
export const observerVariants: readonly Variant[] = [
  variant({
    id: 'lists-other-events',
    takes: ORDER,
    does: 'Lists events of other senders too.',
    receiver: editHandled((handled) => [
      { id: 'whev_of_another_run', runId: 'exec_other', type: 'run.created', status: 'pending' },
      ...handled,
      { id: 'order_1', runId: null, type: 'order.paid', status: null },
    ]),
  }),
  variant({
    id: 'lists-more-members',
    takes: ORDER,
    does: 'Lists more about each event.',
    receiver: editHandled((handled) =>
      handled.map((entry) => ({ ...entry, at: '2026-07-01T12:00:00Z', attempts: 1 })),
    ),
  }),
  variant({
    id: 'lists-ids-only',
    takes: ORDER,
    does: 'Lists ids alone.',
    receiver: editHandled((handled) => handled.map(({ id }) => ({ id }))),
  }),
  variant({
    id: 'lists-by-run',
    takes: ORDER,
    does: 'Lists the events of one run after those of another.',
    receiver: editHandled((handled) => {
      const runs = [...new Set(handled.map(({ runId }) => runId))].toReversed();
      return runs.flatMap((run) => handled.filter(({ runId }) => runId === run));
    }),
  }),
  variant({
    id: 'older-events-ignored',
    takes: ORDER,
    does: 'Ignores events that are older than one that it has handled.',
    receiver: editHandled(newestOnly),
  }),
  variant({
    id: 'older-events-ignored-under-load',
    takes: ORDER,
    does: 'Responds 503 to the first attempt of each change to running, and ignores events that are older than one that it has handled.',
    receiver: (knowledge) =>
      chain([firstStartsRefused(knowledge), editHandled(newestOnly)(knowledge)]),
  }),
  ignoring(
    'only-ends-handled',
    'Handles the end of runs only.',
    ({ status }) => !ENDS.includes(status),
  ),
  ignoring(
    'only-creations-handled',
    'Handles the creation of runs only.',
    ({ type }) => type !== 'run.created',
  ),
  ignoring(
    'waiting-ignored',
    'Ignores the change of a run to waiting.',
    ({ status }) => status === 'waiting',
  ),
  variant({
    id: 'agents-ignored',
    takes: IGNORED,
    does: 'Ignores the events of agent runs.',
    silences: ['receiver.effect.agent-run'],
    receiver: editHandled((handled, delivered) => {
      const agents = delivered.filter(({ event }) => event.run['type'] === 'agent');
      const ids = new Set<unknown>(agents.map(({ event }) => event.id));
      return handled.filter(({ id }) => !ids.has(id));
    }),
  }),
  variant({
    id: 'observer-slow',
    takes: AFTERWARDS,
    does: 'Takes 100 ms for each list.',
    receiver: () => ({
      receiver: async (request, next) => {
        if (!isDelivery(request)) await sleep(100);
        return next(request);
      },
    }),
  }),
  variant({
    id: 'observer-limited',
    takes: RETRIED,
    does: 'Responds 429 to every third request for the list.',
    receiver: everyThirdList(429),
  }),
  variant({
    id: 'observer-unavailable',
    takes: RETRIED,
    does: 'Responds 503 to every third request for the list.',
    receiver: everyThirdList(503),
  }),
  variant({
    id: 'observer-late',
    takes: AFTERWARDS,
    does: 'Shows an effect 300 ms after it.',
    receiver: () => {
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
  }),
];

function ignoring(id: string, does: string, isIgnored: (entry: Entry) => boolean): Variant {
  return variant({
    id,
    takes: IGNORED,
    does,
    receiver: editHandled((handled) => handled.filter((entry) => !isIgnored(entry))),
  });
}

const firstStartsRefused: Open = perRun(() => {
  const known = new Set<string>();
  return onRequest((_request, event) => {
    if (event?.run['status'] !== 'running' || known.has(event.id)) return null;
    known.add(event.id);
    return respond(503);
  });
});

/** Of each run, the events up to the newest that had arrived first; the end in any case. */
function newestOnly(handled: readonly Entry[], delivered: readonly Delivered[]): readonly Entry[] {
  const arrivals = delivered.filter(({ isAccepted }) => isAccepted).map(({ event }) => event);
  const isOlder = ({ id, runId }: Entry): boolean => {
    const own = arrivals.findIndex((event) => event.id === id);
    return arrivals
      .slice(0, Math.max(own, 0))
      .some(({ run }) => run['id'] === runId && ENDS.includes(run['status']));
  };
  return handled.filter((entry) => !isOlder(entry));
}

function everyThirdList(status: number): Open {
  return () => {
    let requests = 0;
    return {
      receiver: async (request, next) => {
        if (isDelivery(request)) return next(request);
        requests += 1;
        return requests % 3 === 0
          ? respond(status, undefined, [['retry-after', '0']])
          : next(request);
      },
    };
  };
}
