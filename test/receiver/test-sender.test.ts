import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { createReceiver } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runTimeline, testSender, virtualClock } from '@hookproof/receiver/testing';
import type { SendOptions } from '@hookproof/receiver/testing';
import { verify } from '@hookproof/receiver/verify';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';

import { SECRET } from './started-receiver.ts';

const OTHER_SECRET = 'whsec_other9Kd2';
const run = runTimeline(['pending', 'running', 'waiting', 'running', 'completed']);
const [first] = run;

/** The attempts of a delivery with one response of a receiver. */
const oneResponse = (status: number, code: string) => [{ status, code, retryAfterSeconds: null }];

async function senderToReceiver() {
  const clock = virtualClock();
  const handled: string[] = [];
  const receiver = createReceiver({
    secrets: SECRET,
    store: memoryStore(),
    handlers: { event: ({ id }) => handled.push(id) },
    clock,
    onError: () => {},
  });
  await receiver.start();
  onTestFinished(() => receiver.close());
  const sender = testSender({ receiver, secret: SECRET, clock });
  return { clock, receiver, sender, handled };
}

/** A URL that responds with these statuses in turn and records what arrives. */
async function respondingUrl(
  responses: readonly { status: number; headers?: Record<string, string> }[],
) {
  const arrivals: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      arrivals.push({ headers: request.headers, body: bytes });
      const { status, headers } = responses[arrivals.length - 1] ?? { status: 200 };
      response.writeHead(status, headers).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return {
    server,
    arrivals,
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`,
  };
}

describe('testSender, to a receiver', () => {
  it('delivers each copy, and reports the responses', async () => {
    const { sender, receiver, handled } = await senderToReceiver();
    const sent = await sender.send(run.slice(0, 2), { copies: 2 });
    expect(sent).toEqual([
      { eventId: run[0]?.id, outcome: 'delivered', attempts: oneResponse(202, 'accepted') },
      { eventId: run[0]?.id, outcome: 'delivered', attempts: oneResponse(200, 'duplicate') },
      { eventId: run[1]?.id, outcome: 'delivered', attempts: oneResponse(202, 'accepted') },
      { eventId: run[1]?.id, outcome: 'delivered', attempts: oneResponse(200, 'duplicate') },
    ]);
    await receiver.idle();
    expect(handled).toEqual([run[0]?.id, run[1]?.id]);
  });

  it('sends in an order that follows from shuffleSeed', async () => {
    const idsOf = async (options: SendOptions) => {
      const { sender } = await senderToReceiver();
      return (await sender.send(run, options)).map(({ eventId }) => eventId);
    };
    const inOrder = await idsOf({});
    const shuffled = await idsOf({ shuffleSeed: 1 });
    expect(inOrder).toEqual(run.map(({ id }) => id));
    expect(shuffled).not.toEqual(inOrder);
    expect(shuffled.toSorted()).toEqual(inOrder.toSorted());
    expect(await idsOf({ shuffleSeed: 1 })).toEqual(shuffled);
    expect(await idsOf({ shuffleSeed: 2 })).not.toEqual(shuffled);
  });

  it('signs the first attempt in the past, and the next one now', async () => {
    const { sender } = await senderToReceiver();
    const [sent] = await sender.send(run.slice(0, 1), {
      firstAttempt: { timestampOffsetSeconds: -301 },
    });
    expect(sent).toMatchObject({
      outcome: 'delivered',
      attempts: [
        { status: 425, code: 'timestamp_too_old' },
        { status: 202, code: 'accepted' },
      ],
    });
  });

  it('signs the first attempt with another secret, which ends the delivery', async () => {
    const { sender } = await senderToReceiver();
    const [sent] = await sender.send(run.slice(0, 1), { firstAttempt: { secret: OTHER_SECRET } });
    expect(sent).toMatchObject({ outcome: 'refused', attempts: [{ status: 401 }] });
  });

  it('delivers any number of copies in any order, and each event is handled once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.integer({ min: 1, max: 4 }),
        async (shuffleSeed, copies) => {
          const { sender, receiver, handled } = await senderToReceiver();
          const sent = await sender.send(run, { shuffleSeed, copies });
          await receiver.idle();
          expect(sent.filter(({ outcome }) => outcome === 'delivered')).toHaveLength(5 * copies);
          expect(handled.toSorted()).toEqual(run.map(({ id }) => id).toSorted());
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe('testSender, to a URL', () => {
  it.each([408, 425, 429, 500, 503])('tries again after %i, signed again', async (status) => {
    const clock = virtualClock();
    const { url, arrivals } = await respondingUrl([{ status }, { status }]);
    const sender = testSender({ url, secret: SECRET, clock });
    const started = clock.now();
    const [sent] = await sender.send(run.slice(0, 1));
    expect(sent?.attempts.map((attempt) => attempt.status)).toEqual([status, status, 200]);
    expect(sent?.outcome).toBe('delivered');
    expect(clock.now() - started).toBe(3_000);
    const timestamps = arrivals.map(({ headers, body }) => {
      verify(body, headers, { secrets: SECRET, now: () => clock.now() });
      return Number(headers['webhook-timestamp']) - started / 1000;
    });
    expect(timestamps).toEqual([0, 1, 3]);
    expect(new Set(arrivals.map(({ body }) => body.toString()))).toEqual(
      new Set([JSON.stringify(first)]),
    );
  });

  it.each([301, 400, 401, 404, 410, 413])('ends a delivery after %i', async (status) => {
    const headers = { location: '/other' };
    const { url, arrivals } = await respondingUrl([{ status, headers }]);
    const [sent] = await testSender({ url, secret: SECRET }).send(run.slice(0, 1));
    expect(sent).toMatchObject({ outcome: 'refused', attempts: [{ status, code: null }] });
    expect(arrivals).toHaveLength(1);
  });

  it('waits as long as Retry-After says, and sends others meanwhile', async () => {
    const clock = virtualClock();
    const headers = { 'retry-after': '30' };
    const { url, arrivals } = await respondingUrl([{ status: 503, headers }]);
    const started = clock.now();
    const sent = await testSender({ url, secret: SECRET, clock }).send(run.slice(0, 2));
    expect(arrivals.map(({ headers: one }) => one['webhook-id'])).toEqual([
      run[0]?.id,
      run[1]?.id,
      run[0]?.id,
    ]);
    expect(clock.now() - started).toBe(30_000);
    expect(sent[0]?.attempts).toEqual([
      { status: 503, code: null, retryAfterSeconds: 30 },
      { status: 200, code: null, retryAfterSeconds: null },
    ]);
  });

  it('gives up after maxAttempts without a connection', async () => {
    const clock = virtualClock();
    const { url, server } = await respondingUrl([]);
    server.close();
    await once(server, 'close');
    const sender = testSender({ url, secret: SECRET, clock, maxAttempts: 3 });
    const none = { status: null, code: null, retryAfterSeconds: null };
    expect(await sender.send(run.slice(0, 1))).toEqual([
      { eventId: first?.id, outcome: 'exhausted', attempts: [none, none, none] },
    ]);
  });
});

describe('the options of testSender', () => {
  it('are checked', async () => {
    expect(() => testSender({ url: 'localhost', secret: SECRET })).toThrow(
      new TypeError('url must be a URL, got "localhost".'),
    );
    expect(() => testSender({ url: 'http://a', secret: SECRET, maxAttempts: 0 })).toThrow(
      new TypeError('maxAttempts must be a positive integer, got 0.'),
    );
    const { sender } = await senderToReceiver();
    const misspelt = { shufleSeed: 1 };
    await expect(sender.send(run, misspelt as SendOptions)).rejects.toThrow(
      new TypeError('Unknown option "shufleSeed". Did you mean shuffleSeed?'),
    );
    await expect(sender.send(run, { copies: 0 })).rejects.toThrow(
      new TypeError('copies must be a positive integer, got 0.'),
    );
  });
});

describe('virtualClock', () => {
  it('fires timers in order, and only those that are due', async () => {
    const clock = virtualClock('2026-07-01T00:00:00Z');
    const fired: [string, number][] = [];
    const note = (name: string) => () => fired.push([name, clock.monotonic()]);
    clock.setTimeout(note('late'), 20);
    clock.setTimeout(() => {
      note('early')();
      clock.setTimeout(note('next'), 5);
    }, 10);
    const dropped = clock.setTimeout(note('dropped'), 12);
    clock.clearTimeout(dropped);
    expect(clock.nextTimerIn()).toBe(10);
    await clock.advance(19);
    expect(fired).toEqual([
      ['early', 10],
      ['next', 15],
    ]);
    expect(clock.nextTimerIn()).toBe(1);
    await clock.advance(1);
    expect(fired.at(-1)).toEqual(['late', 20]);
    expect(clock.nextTimerIn()).toBeNull();
    expect(new Date(clock.now()).toISOString()).toBe('2026-07-01T00:00:00.020Z');
  });

  it('refuses what is no time', async () => {
    expect(() => virtualClock('noon')).toThrow(new TypeError('start must be a time, got noon.'));
    await expect(virtualClock().advance(-1)).rejects.toThrow(
      new TypeError('milliseconds must be 0 or more, got -1.'),
    );
    await expect(virtualClock().advance(Number.NaN)).rejects.toThrow(TypeError);
  });
});
