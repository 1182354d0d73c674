import { createIngress } from '@hookproof/receiver';
import type { IncomingEvent, IngressOptions, Problem, ReceiveRequest } from '@hookproof/receiver';
import {
  runCreatedEvent,
  runStatusChangedEvent,
  sign,
  signEvent,
} from '@hookproof/receiver/testing';
import type { RunEvent } from '@hookproof/receiver';
import { createVerifier } from '@hookproof/receiver/verify';
import { describe, expect, it } from 'vitest';

import { SECRET, startedReceiver } from './started-receiver.ts';
import { NOON, virtualClock } from './virtual-clock.ts';

/** An ingress on a virtual clock that records what its sink gets. */
function ingress(options: Partial<IngressOptions> = {}, secrets: string | string[] = SECRET) {
  const clock = virtualClock();
  const put: IncomingEvent[] = [];
  const problems: Problem[] = [];
  const { receive, close } = createIngress({
    verifier: createVerifier({ secrets, now: () => clock.now() }),
    sink: { put: async (event) => void put.push(event) },
    onError: (problem) => problems.push(problem),
    clock,
    ...options,
  });
  const deliver = (
    event: RunEvent = runCreatedEvent(),
    change: Partial<ReceiveRequest> = {},
    secret = SECRET,
  ) =>
    receive({ method: 'POST', ...signEvent(event, { secret, now: () => clock.now() }), ...change });
  return { clock, put, problems, receive, close, deliver };
}

describe('createIngress', () => {
  it.each<[object, string]>([
    [{ verifier: {} }, 'verifier must be a verifier. Use createVerifier({ secrets }).'],
    [{ sink: { add: () => {} } }, 'sink must be an object with a method put(event).'],
    [{ maxBufferedBytes: 0 }, 'maxBufferedBytes must be a positive integer, got 0.'],
    [
      { maxBufferedBytes: 1_000 },
      'maxBufferedBytes must be at least bodyLimitBytes (1048576), got 1000.',
    ],
    [{ maxBuffered: 1 }, 'Unknown option "maxBuffered". Did you mean maxBufferedBytes?'],
    [
      { rotationUntil: 'soon' },
      'rotationUntil must be a Date or milliseconds since the epoch, got soon.',
    ],
  ])('refuses %j', (wrong, message) => {
    expect(() => ingress(wrong)).toThrow(new TypeError(message));
  });

  it('passes each event with its content to the sink, and responds with 2xx afterwards', async () => {
    const { deliver, put, receive, problems } = ingress();
    const event = runStatusChangedEvent();
    const signed = signEvent(event, { secret: SECRET, now: () => NOON });
    expect(await deliver(event)).toMatchObject({ status: 202 });
    const { previousStatus, currentStatus } = event.data;
    const edge = { id: event.id, previousStatus, currentStatus, createdAt: event.createdAt };
    const content = { kind: 'run', runId: 'exec_1', edge };
    expect(put).toMatchObject([{ id: event.id, timestamp: NOON / 1_000, content }]);
    expect(Buffer.from(put[0]?.body ?? [])).toEqual(signed.body);
    expect(await deliver(runCreatedEvent({ test: true }))).toMatchObject({ status: 202 });
    expect(put[1]).toMatchObject({ content: { kind: 'single' } });

    const body = Buffer.from('nonsense');
    const signature = sign({ secret: SECRET, id: 'whev_9', timestamp: NOON / 1_000, body });
    const headers = { 'content-type': 'application/json', ...signature };
    expect(await receive({ method: 'POST', headers, body })).toMatchObject({ status: 202 });
    expect(put[2]?.content).toMatchObject({
      kind: 'invalid',
      error: expect.stringMatching(/^body_not_json: /),
    });
    expect(problems).toMatchObject([{ code: 'event_quarantined', eventId: 'whev_9' }]);
  });

  it('responds with what the sink says, and with 503 when it fails or hangs', async () => {
    const outcomes = ['new', 'duplicate', 'conflict', undefined] as const;
    for (const outcome of outcomes) {
      const { deliver } = ingress({ sink: { put: async () => outcome } });
      const status = { new: 202, duplicate: 200, conflict: 409 }[outcome ?? 'new'];
      expect(await deliver()).toMatchObject({ status });
    }
    const throwing = ingress({
      sink: {
        put: () => {
          throw new Error('queue down');
        },
      },
    });
    expect(await throwing.deliver()).toMatchObject({ status: 503, code: 'store_unavailable' });
    expect(throwing.problems).toMatchObject([
      {
        code: 'store_unavailable',
        message: 'The store did not accept the event; the sender retries. Error: queue down',
      },
    ]);
    const hanging = ingress({ sink: { put: () => new Promise(() => {}) } });
    const response = hanging.deliver();
    await hanging.clock.advance(8_000);
    expect(await response).toMatchObject({ status: 503, code: 'store_unavailable' });
  });

  it('responds with 503 after close(), which waits for requests in progress', async () => {
    const finish: (() => void)[] = [];
    const { deliver, close } = ingress({
      sink: {
        put: () =>
          new Promise((resolve) => {
            finish.push(() => resolve());
          }),
      },
    });
    const begun = deliver();
    let isClosed = false;
    const closed = close().then(() => (isClosed = true));
    const again = close();
    expect(await deliver()).toMatchObject({ status: 503, code: 'closing' });
    expect(isClosed).toBe(false);
    finish[0]?.();
    expect(await begun).toMatchObject({ status: 202 });
    await Promise.all([closed, again]);
  });
});

describe('deliveries that are refused for good', () => {
  const { headers } = signEvent(runCreatedEvent(), { secret: SECRET, now: () => NOON });

  it('are reported at the first one, also beside accepted ones, then once a minute with their number', async () => {
    const { deliver, problems, clock } = ingress();
    const wrong = () => deliver(undefined, {}, 'whsec_other');
    await deliver();
    await deliver();
    await wrong();
    await wrong();
    await wrong();
    expect(problems).toMatchObject([
      {
        code: 'deliveries_refused',
        count: 1,
        message:
          'A delivery got 401 (signature_mismatch). That is final: the sender does not send it again. ' +
          'Signature must match one of the configured secrets (1), got another. The secret is wrong, or ' +
          'the body was changed on its way.',
      },
    ]);
    await clock.advance(60_000);
    await wrong();
    expect(problems).toMatchObject([{ count: 1 }, { code: 'deliveries_refused', count: 3 }]);
  });

  it.each<[number, Partial<ReceiveRequest>, string]>([
    [405, { method: 'PUT' }, 'Method must be POST, got PUT.'],
    [
      415,
      { headers: { ...headers, 'content-type': 'text/plain' } },
      'Content type must be application/json, got "text/plain".',
    ],
    [
      413,
      { body: Buffer.alloc(1_048_577) },
      'Body must have at most 1048576 bytes, got more. Raise bodyLimitBytes.',
    ],
    [
      401,
      { headers: { 'content-type': 'application/json', 'webhook-id': 'whev_1' } },
      'Header webhook-timestamp must be present once, as Unix seconds, 1 to 12 digits, got [] (length 0). ' +
        'Pass all headers unchanged.',
    ],
  ])('are reported with the reason: %i', async (status, change, reason) => {
    const { deliver, problems } = ingress();
    expect(await deliver(undefined, change)).toMatchObject({ status });
    expect(problems).toMatchObject([
      {
        code: 'deliveries_refused',
        message: expect.stringContaining(`A delivery got ${status} (`),
      },
    ]);
    expect(problems[0]?.message).toMatch(new RegExp(`${escaped(reason)}$`));
  });

  it('are reported apart for each reason, so that none hides another', async () => {
    const { deliver, problems } = ingress();
    for (let copy = 0; copy < 3; copy += 1) await deliver(undefined, {}, 'whsec_other');
    await deliver(undefined, { method: 'PUT' });
    expect(problems).toMatchObject([
      { message: expect.stringContaining('got 401') },
      { message: expect.stringContaining('got 405'), count: 1 },
    ]);
  });

  it('are not those of strangers, which have none of the headers of a delivery', async () => {
    const { receive, problems } = ingress();
    const json = { 'content-type': 'application/json' };
    for (const change of [{ headers: json }, { headers: {} }, { method: 'GET', headers: json }]) {
      await receive({ method: 'POST', body: Buffer.from('{}'), ...change });
    }
    expect(problems).toEqual([]);
  });

  it('are counted in stats().refused', async () => {
    const { receiver } = await startedReceiver();
    const send = async (change: object, secret = SECRET) =>
      receiver.receive({
        method: 'POST',
        ...signEvent(runCreatedEvent(), { secret, now: () => NOON }),
        ...change,
      });
    await send({});
    await send({ method: 'PUT' });
    await send({}, 'whsec_other');
    await send({ headers: {} });
    expect(await receiver.stats()).toMatchObject({ refused: 2 });
  });

  it('are not those outside the tolerance, whose senders retry; these are reported too', async () => {
    const { receive, deliver, problems } = ingress();
    await deliver();
    const late = signEvent(runCreatedEvent(), { secret: SECRET, now: () => NOON - 1_000_000 });
    expect(await receive({ method: 'POST', ...late })).toMatchObject({ status: 425 });
    expect(problems).toMatchObject([
      {
        code: 'deliveries_outside_tolerance',
        message:
          'An authentic delivery got 425, and its sender retries. Timestamp must be within 300 s of now, ' +
          'got age 1000 s. Check both clocks. Set the clock of this machine; if it is right, report it to ' +
          'the sender.',
      },
    ]);
  });
});

describe('maxBufferedBytes', () => {
  const body = Buffer.from(JSON.stringify(runCreatedEvent()));
  const limits = { bodyLimitBytes: body.length, maxBufferedBytes: 2 * body.length };

  it('bounds what is held while the sink stands still, also after the senders got 503', async () => {
    const finish: (() => void)[] = [];
    const put = () => new Promise<void>((resolve) => finish.push(resolve));
    const { deliver, clock } = ingress({ ...limits, sink: { put } });
    const held = [deliver(), deliver()];
    await clock.advance(8_000);
    expect(await Promise.all(held)).toMatchObject([{ status: 503 }, { status: 503 }]);
    expect(await deliver()).toMatchObject({ status: 503, code: 'overloaded' });
    expect(finish).toHaveLength(2);
    finish[0]?.();
    await clock.advance(0);
    const third = deliver();
    await clock.advance(0);
    finish[2]?.();
    expect(await third).toMatchObject({ status: 202 });
  });

  it('is given back by a delivery that is refused, and by a sink that rejects', async () => {
    const { deliver } = ingress({
      ...limits,
      sink: { put: async () => Promise.reject(new Error()) },
    });
    for (let attempt = 0; attempt < 4; attempt += 1) {
      expect(await deliver(undefined, {}, 'whsec_other')).toMatchObject({ status: 401 });
      expect(await deliver()).toMatchObject({ status: 503, code: 'store_unavailable' });
    }
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
