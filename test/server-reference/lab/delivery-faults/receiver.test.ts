import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createReceiver } from '@hookproof/receiver';
import type { Receiver, ReceiverResponse } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { nodeHandler } from '@hookproof/receiver/node';
import { realClock } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import type { DeliveryFaultOrder } from '../../../../server-reference/src/lab/delivery-faults/delivery-fault.ts';
import { startControlled } from '../control/control-client.ts';
import type { ControlClient } from '../control/control-client.ts';

const TRANSITIONS = ['pending', 'running', 'finalizing', 'completed'];

/** How the receiver of this project responds to each fault, as its README says. */
const EXPECTED: readonly (readonly [DeliveryFaultOrder, readonly string[]])[] = [
  [{ name: 'duplicate', copies: 3 }, ['accepted', 'duplicate', 'duplicate', 'duplicate']],
  [{ name: 'duplicate', apartMilliseconds: 20 }, ['accepted', 'duplicate']],
  [{ name: 'reorder' }, ['accepted']],
  [{ name: 'delay', milliseconds: 20 }, ['accepted']],
  [{ name: 'drop-then-redeliver' }, ['accepted']],
  [{ name: 'stale-timestamp' }, ['timestamp_too_old', 'accepted']],
  [{ name: 'future-timestamp' }, ['timestamp_too_new', 'accepted']],
  [{ name: 'wrong-secret' }, ['signature_mismatch', 'accepted']],
  [{ name: 'tampered-body' }, ['signature_mismatch', 'accepted']],
  [{ name: 'truncated-body' }, ['body_aborted', 'accepted']],
  [{ name: 'slow-drip', milliseconds: 50, pieces: 5 }, ['accepted']],
];
const STATUSES: Readonly<Record<string, number>> = {
  accepted: 202,
  duplicate: 200,
  timestamp_too_old: 425,
  timestamp_too_new: 425,
  signature_mismatch: 401,
  body_aborted: 408,
};

test.each(EXPECTED)('%o: every event is handled once and in order', async (order, codes) => {
  const control = await startControlled({ clock: realClock(), retryProfile: 'instant' });
  const { responses, handled, receiver } = await startReceiver(control);
  const { id } = await control.run({ deliveryFaults: [order] });
  for (const status of TRANSITIONS.slice(1)) await control.move(id, status);
  const responseCount = codes.length * TRANSITIONS.length;
  const first = await control.settled(`?runId=${id}`);
  for (const ended of first.filter(({ status }) => status === 'ended')) {
    expect(ended.endReason).toBe('final_status');
    await control.expectOk(202, `/deliveries/${ended.id}/redeliver`, {});
  }
  await control.settled(`?runId=${id}`);
  await responses.reach(responseCount);
  await handled.reach(TRANSITIONS.length);
  await receiver.idle();

  const responded = responses.all.map(({ code, status }) => `${status} ${code}`);
  const expected = TRANSITIONS.flatMap(() => codes).map((code) => `${STATUSES[code]} ${code}`);
  expect(responded.toSorted()).toEqual(expected.toSorted());
  expect(handled.all).toEqual(TRANSITIONS);
  const deliveries = await control.deliveries();
  expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['delivered']));
  const recentHits = deliveries.filter(({ attempts }) => attempts[0]?.deliveryFault === order.name);
  const copies = order.name === 'duplicate' ? (order.copies ?? 1) : 0;
  expect(recentHits).toHaveLength(TRANSITIONS.length * (1 + copies));
});

/** What happened so far, in order. */
class Happened<T> {
  readonly all: T[] = [];
  #onNext: (() => void) | undefined;

  add(one: T): void {
    this.all.push(one);
    this.#onNext?.();
  }

  /** Resolves when this number has happened. */
  reach(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onNext = () => {
        if (this.all.length >= count) resolve();
      };
      this.#onNext();
    });
  }
}

/** A receiver behind node:http as an endpoint, and the events that it has handled. */
async function startReceiver(control: ControlClient): Promise<{
  responses: Happened<ReceiverResponse>;
  handled: Happened<string>;
  receiver: Receiver;
}> {
  let handle: RequestListener | undefined;
  const server = createServer((request, response) => handle?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { secret } = await control.endpoint(`http://127.0.0.1:${port}/hook`);
  const handled = new Happened<string>();
  const responses = new Happened<ReceiverResponse>();
  const receiver = createReceiver({
    secrets: secret,
    store: memoryStore(),
    mode: 'ordered',
    roundTripGraceMilliseconds: 1,
    pollMilliseconds: 5,
    handlers: { event: ({ data }) => handled.add(data.run.status) },
    onError: () => {},
  });
  await receiver.start();
  handle = nodeHandler({
    async receive(request) {
      const response = await receiver.receive(request);
      responses.add(response);
      return response;
    },
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await receiver.close();
  });
  return { responses, handled, receiver };
}
