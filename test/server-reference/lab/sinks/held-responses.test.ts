import { realClock, virtualClock } from '@hookproof/server-reference';
import { describe, expect, test } from 'vitest';

import type { Exchange } from '../../../../server-reference/src/lab/sinks/exchange.ts';
import type { SinkView } from '../../../../server-reference/src/lab/sinks/view.ts';
import { START, startControlled } from '../control/control-client.ts';
import type { ControlClient } from '../control/control-client.ts';
import { openSink, readSink } from './sink-client.ts';

type ScriptedResponse = NonNullable<Exchange['arrived']>['response'];

/** Longer than any test: an `advance` that waited for a response would never end. */
const FOR_EVER_MILLISECONDS = 3_600_000;

interface Held extends ControlClient {
  readonly sinks: readonly SinkView[];
}

/** One event on its way to the given number of sinks, each with its own endpoint. */
async function sendTo(count: number, responses: readonly object[]): Promise<Held> {
  const control = await startControlled({
    clock: virtualClock({ now: START, stallTimeoutMilliseconds: FOR_EVER_MILLISECONDS }),
    retryProfile: 'instant',
  });
  const sinks: SinkView[] = [];
  for (let opened = 0; opened < count; opened += 1) {
    const sink = await openSink(control, responses);
    await control.endpoint(sink.url);
    sinks.push(sink);
  }
  await control.run();
  return { ...control, sinks };
}

async function responsesOf(control: Held): Promise<ScriptedResponse[]> {
  const views = await Promise.all(control.sinks.map((sink) => readSink(control, sink)));
  return views.flatMap(({ exchanges }) =>
    exchanges.map(({ arrived }) => arrived?.response ?? null),
  );
}

describe('a virtual clock does not wait for held responses', () => {
  test('to requests that hang until the sender gives up', async () => {
    const control = await sendTo(5, [{ hang: true }]);
    await control.advance(80_000);
    const attempts = (await control.deliveries()).flatMap((delivery) => delivery.attempts);
    expect(attempts).toHaveLength(40);
    expect(new Set(attempts.map(({ error }) => error))).toEqual(new Set(['timeout']));
    expect((await responsesOf(control)).filter((scripted) => scripted === 'hang')).toHaveLength(40);
  });

  test('to requests that get a response later, and waits for the result of each', async () => {
    const control = await sendTo(5, [{ status: 503, afterMilliseconds: 9_000 }]);
    await control.advance(71_999);
    const before = (await control.deliveries()).flatMap((delivery) => delivery.attempts);
    expect(before).toHaveLength(35);
    await control.advance(1);
    const deliveries = await control.deliveries();
    expect(new Set(deliveries.map(({ endReason }) => endReason))).toEqual(
      new Set(['attempts_exhausted']),
    );
    const attempts = deliveries.flatMap((delivery) => delivery.attempts);
    expect(
      attempts.map(({ startedAt, finishedAt }) => Date.parse(finishedAt) - Date.parse(startedAt)),
    ).toEqual(Array.from({ length: 40 }, () => 9_000));
    expect(await responsesOf(control)).toEqual(Array.from({ length: 40 }, () => 503));
  });

  test('that reset the connection later', async () => {
    const control = await sendTo(3, [{ reset: true, afterMilliseconds: 9_000 }, { status: 200 }]);
    await control.advance(9_000);
    for (const { status, attempts } of await control.deliveries()) {
      expect(status).toBe('delivered');
      expect(attempts).toMatchObject([{ error: 'ECONNRESET' }, { status: 200 }]);
    }
  });

  test('that would come after the deadline', async () => {
    const control = await sendTo(5, [
      { status: 200, afterMilliseconds: 10_000 },
      { status: 200, afterMilliseconds: 15_000 },
      { status: 204 },
    ]);
    await control.advance(60_000);
    for (const { attempts } of await control.deliveries()) {
      expect(attempts).toMatchObject([{ error: 'timeout' }, { error: 'timeout' }, { status: 204 }]);
    }
    expect(await responsesOf(control)).toEqual(
      Array.from({ length: 5 }, () => [null, null, 204]).flat(),
    );
  });
});

test.each(['duplicate', 'slow-drip', 'wrong-secret', 'delay', 'reorder'])(
  'a virtual clock does not wait for held responses to requests under %s',
  async (name) => {
    const control = await startControlled({
      clock: virtualClock({ now: START, stallTimeoutMilliseconds: FOR_EVER_MILLISECONDS }),
    });
    const sink = await openSink(control, [
      { status: 500, afterMilliseconds: 4_000 },
      { hang: true },
      { status: 200 },
    ]);
    await control.endpoint(sink.url);
    await control.expectOk(201, '/delivery-faults', { name });
    await control.run();
    await control.advance(120_000);
    expect(await control.onlyDelivery()).toMatchObject({ status: 'delivered' });
    const { exchanges } = await readSink(control, sink);
    expect(exchanges.map(({ arrived }) => arrived?.response)).toEqual([500, 'hang', 200]);
    expect(exchanges[0]?.sent?.deliveryFault).toBe(name);
  },
);

test('a virtual clock does not wait for a copy of a request whose response is held', async () => {
  const control = await startControlled({
    clock: virtualClock({ now: START, stallTimeoutMilliseconds: FOR_EVER_MILLISECONDS }),
  });
  const sink = await openSink(control, [{ hang: true }, { status: 201 }, { status: 202 }]);
  await control.endpoint(sink.url);
  await control.expectOk(201, '/delivery-faults', { name: 'duplicate', copies: 2 });
  await control.run();
  await control.advance(10_000);
  expect((await control.onlyDelivery()).attempts).toMatchObject([
    { number: 1, trigger: 'automatic', error: 'timeout' },
    { number: 2, trigger: 'duplicate', status: 201 },
    { number: 3, trigger: 'duplicate', status: 202 },
  ]);
});

test.each(['truncated-body', 'slow-drip'])(
  'a virtual clock does not advance before the sink knows where a %s ended',
  async (name) => {
    const control = await startControlled({
      clock: virtualClock({ now: START, stallTimeoutMilliseconds: FOR_EVER_MILLISECONDS }),
    });
    const sink = await openSink(control);
    const { id } = await control.endpoint(sink.url);
    const parameters = name === 'slow-drip' ? { milliseconds: 86_400_000 } : {};
    for (let round = 1; round <= 4; round += 1) {
      await control.expectOk(201, '/delivery-faults', { name, ...parameters });
      const run = await control.run();
      await control.advance(60_000);
      const { attempts } = await control.onlyDelivery(`?endpointId=${id}&runId=${run.id}`);
      const { exchanges } = await readSink(control, sink);
      expect(exchanges.slice(-2).map(({ arrived }) => arrived)).toMatchObject([
        { number: 2 * round - 1, at: attempts[0]?.finishedAt, complete: false },
        { number: 2 * round, at: attempts[1]?.finishedAt, complete: true },
      ]);
    }
  },
);

test('a server with held responses closes', async () => {
  const control = await startControlled({ clock: realClock(), retryProfile: 'instant' });
  for (const scripted of [{ hang: true }, { status: 200, afterMilliseconds: 86_400_000 }]) {
    const sink = await openSink(control, [scripted]);
    await control.endpoint(sink.url);
  }
  await control.run();
  for (const id of ['sink_1', 'sink_2']) {
    await control.expectOk(200, '/wait', { for: 'sink', id, arrived: 1 });
  }
  await control.server.close();
});
