import { createHmac } from 'node:crypto';
import { tracingChannel } from 'node:diagnostics_channel';
import { inspect } from 'node:util';

import { createReceiver } from '@hookproof/receiver';
import type { FetchRun, ReceiveRequest, Receiver } from '@hookproof/receiver';
import { explainDelivery, formatExplanation } from '@hookproof/receiver/explain';
import { fetchRunFrom } from '@hookproof/receiver/fetch-run';
import { memoryStore } from '@hookproof/receiver/memory';
import { runCreatedEvent, runTimeline, sign, virtualClock } from '@hookproof/receiver/testing';
import { createVerifier } from '@hookproof/receiver/verify';
import { describe, expect, it, onTestFinished } from 'vitest';

/** Text that must appear nowhere outside. Each place has its own, so that a failure names it. */
const canary = (place: string): string => `cnry${place}9f3a`;
const CANARY = /cnry\w*/gi;

const SECRET = `whsec_${canary('Secret')}`;
const OLD_SECRET = `whsec_${canary('OldSecret')}`;
const KEY = canary('Key');
const OUTPUT = { text: canary('Output') };

/** Everything that leaves a receiver except what its handlers get. */
class Outside {
  readonly seen: unknown[] = [];
  readonly codes = new Set<string>();

  constructor() {
    for (const name of ['receive', 'accept', 'handle', 'fetchRun']) {
      const push = (message: object): void => void this.seen.push(message);
      const subscriber = { start: push, end: push, asyncStart: push, asyncEnd: push, error: push };
      const channel = tracingChannel<unknown, object>(`hookproof:${name}`);
      channel.subscribe(subscriber);
      onTestFinished(() => channel.unsubscribe(subscriber));
    }
  }

  see(code: string, ...values: readonly unknown[]): void {
    this.codes.add(code);
    this.seen.push(...values);
  }

  /** Returns every canary in what was seen, hidden members and causes included. */
  found(): readonly string[] {
    const text = this.seen.map((value) =>
      inspect(value, { depth: 12, showHidden: true, maxStringLength: null, maxArrayLength: null }),
    );
    return [...new Set(text.join('\n').match(CANARY))];
  }
}

async function started(outside: Outside, fetchRun?: FetchRun, retryForHours = 0.0001) {
  const clock = virtualClock();
  const receiver = createReceiver({
    secrets: [SECRET, OLD_SECRET],
    store: memoryStore(),
    mode: 'ordered',
    retryForHours,
    handlers: {
      failed: () => {
        throw new Error('the handler failed');
      },
      cancelled: () => new Promise(() => undefined),
    },
    ...(fetchRun && { fetchRun }),
    clock,
    onError: (problem) => outside.see(problem.code, problem),
  });
  await receiver.start();
  onTestFinished(() => receiver.close());
  const post = async (part: Partial<ReceiveRequest>): Promise<void> => {
    const request = { method: 'POST', headers: {}, body: Buffer.from('{}'), ...part };
    const response = await receiver.receive(request);
    outside.see(response.code, response);
  };
  const deliver = (event: object, id = 'whev_1', secret = SECRET, offset = 0): Promise<void> => {
    const body = Buffer.from(JSON.stringify(event));
    const timestamp = Math.floor(clock.now() / 1000) + offset;
    return post({ headers: signed({ secret, id, timestamp, body }), body });
  };
  return { receiver, clock, post, deliver };
}

function signed(part: Parameters<typeof sign>[0]) {
  return {
    'content-type': 'application/json',
    'x-team': canary('Header'),
    authorization: canary('Authorization'),
    ...sign(part),
  };
}

function endedRun(id: string, last: 'failed' | 'cancelled') {
  return runTimeline(['pending', 'running', last], { run: { id, output: OUTPUT } });
}

async function seeStore(outside: Outside, receiver: Receiver, ids: readonly string[]) {
  outside.see('store', await receiver.deadLetters(), await receiver.stats());
  for (const id of ids) outside.see('store', await receiver.inspect(id));
}

describe('no payload and no secret leaves the receiver', () => {
  it('when requests are refused', async () => {
    const outside = new Outside();
    const { post, deliver, clock } = await started(outside);
    const body = Buffer.from(JSON.stringify({ text: canary('Body') }));
    const now = Math.floor(clock.now() / 1000);
    const headers = signed({ secret: SECRET, id: 'whev_1', timestamp: now, body });
    await post({ method: canary('Method') });
    await post({ headers: { ...headers, 'content-type': canary('Type') }, body });
    await post({ headers: { 'content-type': 'application/json', 'x-team': canary('Header') } });
    // The values of these three are shown, shortened: they show what is wrong with them.
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      await post({ headers: { ...headers, [name]: 'é,' }, body });
      const rawHeaders = [...Object.entries(headers), [name, 'twice']].flat();
      await post({ headers: { rawHeaders }, body });
    }
    await deliver({ text: canary('Body') }, 'whev_1', `whsec_${canary('Other')}`);
    await deliver({ text: canary('Body') }, 'whev_1', SECRET, -400);
    await deliver({ text: canary('Body') }, 'whev_1', OLD_SECRET, 400);
    for (const wrong of [
      canary('Text'),
      { parsed: canary('Parsed') },
      [canary('Array')],
      new Map([['a', canary('Map')]]),
      null,
    ]) {
      await post({ headers, body: wrong as unknown as Uint8Array });
    }
    await post({ headers, body: Buffer.alloc(1024 * 1024 + 1, canary('Large')) });
    const broken = (async function* () {
      yield Buffer.from(canary('Part'));
      throw new Error(canary('Stream'));
    })();
    await post({ headers, body: broken });
    await post({ headers: canary('Headers') as unknown as Record<string, string> });
    expect(outside.found()).toEqual([]);
    for (const code of [
      'method_not_allowed',
      'content_type_unsupported',
      'header_missing',
      'header_repeated',
      'id_malformed',
      'timestamp_malformed',
      'signature_malformed',
      'signature_mismatch',
      'timestamp_too_old',
      'timestamp_too_new',
      'body_not_bytes',
      'body_too_large',
      'body_aborted',
      'deliveries_refused',
    ]) {
      expect(outside.codes).toContain(code);
    }
  });

  it('when an authentic body is no event, a conflict or of an unknown type', async () => {
    const outside = new Outside();
    const { receiver, deliver, post, clock } = await started(outside);
    const event = runCreatedEvent({ id: 'whev_1', run: { output: OUTPUT } });
    const { run } = event.data;
    const timestamp = Math.floor(clock.now() / 1000);
    for (const text of [
      `{"id":"whev_a","${canary('Name')}":`,
      `"${canary('Json')}"`,
      `\u{feff}{"id":"${canary('Bom')}"}`,
    ]) {
      const body = Buffer.from(text);
      await post({
        headers: signed({ secret: SECRET, id: `whev_${text.length}`, timestamp, body }),
        body,
      });
    }
    const notText = Buffer.concat([Buffer.from(canary('Utf8')), Buffer.of(0xff)]);
    await post({
      headers: signed({ secret: SECRET, id: 'whev_b', timestamp, body: notText }),
      body: notText,
    });
    const invalid: readonly object[] = [
      { ...event, id: canary('Id') },
      { ...event, createdAt: canary('Time') },
      { ...event, test: canary('Test') },
      { ...event, data: canary('Data') },
      { ...event, data: { run: { ...run, status: canary('Status') } } },
      { ...event, data: { run: { ...run, createdAt: canary('RunTime') } } },
      { ...event, data: { run: { ...run, type: canary('RunType') } } },
      { ...event, data: { run, [canary('Member')]: 1 } },
      { ...event, type: 'run.status_changed', data: { run, currentStatus: canary('Current') } },
      { ...event, type: canary('Type'), data: OUTPUT },
      { ...event, apiVersion: canary('Version') },
      { [canary('Root')]: 1 },
    ];
    for (const [place, one] of invalid.entries()) {
      await deliver(
        'id' in one && one.id === 'whev_1' ? { ...one, id: `whev_i${place}` } : one,
        `whev_i${place}`,
      );
    }
    await deliver(event);
    await deliver({ ...event, data: { run: { ...run, output: canary('Conflict') } } });
    await receiver.idle();
    await clock.advance(120_000);
    await seeStore(outside, receiver, ['whev_1', 'whev_b', 'whev_i4', 'whev_i9']);
    expect(outside.found()).toEqual([]);
    for (const code of ['event_quarantined', 'event_unknown', 'event_id_conflict']) {
      expect(outside.codes).toContain(code);
    }
  });

  it('when handlers fail or hang, and events become dead letters', async () => {
    const outside = new Outside();
    const { receiver, deliver, clock } = await started(outside);
    const events = [...endedRun('exec_1', 'failed'), ...endedRun('exec_2', 'cancelled')];
    for (const event of events) await deliver(event, event.id);
    await clock.advance(300_000);
    await receiver.idle();
    await seeStore(
      outside,
      receiver,
      events.map(({ id }) => id),
    );
    outside.see('store', await receiver.timeline('exec_1'));
    expect(outside.found()).toEqual([]);
    for (const code of ['handler_failed', 'handler_slow', 'event_dead_lettered']) {
      expect(outside.codes).toContain(code);
    }
  });

  it.each<[string, () => Response | Promise<Response>]>([
    [
      '401',
      () => new Response(canary('Page'), { status: 401, headers: { 'x-a': canary('Echo') } }),
    ],
    ['429', () => new Response(null, { status: 429, headers: { 'retry-after': canary('After') } })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: canary('To') } })],
    ['no JSON', () => new Response(`<p>${canary('Page')}</p>`)],
    [
      'another run',
      () => Response.json({ id: canary('Run'), status: 'completed', output: OUTPUT }),
    ],
    ['an unknown status', () => Response.json({ status: canary('Status'), output: OUTPUT })],
    ['no status', () => Response.json({ [canary('Name')]: 1, data: { output: OUTPUT } })],
    ['no output', () => Response.json({ status: 'completed', note: canary('Note') })],
    ['a run', () => Response.json({ id: 'exec_1', status: 'completed', output: OUTPUT })],
  ])('when the API responds to fetchRun with %s', async (_what, respond) => {
    const outside = new Outside();
    const fetchRun = fetchRunFrom({
      baseUrl: 'https://api.example.com',
      key: KEY,
      fetch: async () => respond(),
    });
    const { receiver, deliver, clock } = await started(outside, fetchRun);
    const [first, , last] = runTimeline(['pending', 'running', 'completed']);
    if (first === undefined || last === undefined) throw new Error('the timeline has three events');
    const large = {
      ...last,
      data: { ...last.data, run: { ...last.data.run, outputOmitted: true } },
    };
    await deliver(first, first.id);
    await deliver(large, large.id);
    await clock.advance(200_000);
    await receiver.idle();
    await seeStore(outside, receiver, [first.id, large.id]);
    expect((await receiver.stats()).open).toBe(0);
    expect(outside.found()).toEqual([]);
  });

  it('except what a handler puts into its own error', async () => {
    const outside = new Outside();
    const fetchRun = async (): Promise<never> => {
      throw new Error(canary('Handler'));
    };
    const { receiver, deliver } = await started(outside, fetchRun, 1);
    const event = runCreatedEvent();
    await deliver(
      { ...event, data: { run: { ...event.data.run, outputOmitted: true } } },
      event.id,
    );
    await receiver.idle();
    expect(outside.found()).toEqual([canary('Handler')]);
  });

  it('when a refusal is explained', () => {
    const outside = new Outside();
    const compact = Buffer.from(JSON.stringify({ b: OUTPUT, a: canary('Body') }));
    const pretty = Buffer.from(JSON.stringify(JSON.parse(compact.toString()), null, 2));
    const timestamp = Math.floor(Date.now() / 1000);
    const other = `whsec_${canary('Other')}`;
    const cases = [
      { secret: SECRET, rawBody: compact },
      { secret: SECRET, rawBody: pretty },
      { secret: SECRET.slice(6), rawBody: compact },
      { secret: other, rawBody: compact },
      { secret: `whsec_${canary('Unknown')}`, rawBody: compact },
      { secret: SECRET, rawBody: Buffer.from(`${compact.toString()}\n`) },
    ];
    for (const { secret, rawBody } of cases) {
      const id = 'whev_1';
      const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(compact);
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${mac.digest('hex')}`,
      };
      for (const broken of [{}, { 'webhook-id': canary('Id') }, { 'webhook-signature': '' }]) {
        const delivery = { headers: { ...headers, ...broken }, rawBody };
        const options = { secrets: SECRET, otherSecrets: { staging: other } };
        const mistake = explainDelivery(delivery, options);
        outside.see(mistake.cause, mistake, formatExplanation(mistake));
      }
    }
    expect(outside.codes.size).toBeGreaterThan(4);
    expect(outside.found()).toEqual([]);
  });

  it('when options are wrong', () => {
    const outside = new Outside();
    const attempts: readonly (() => unknown)[] = [
      () => createReceiver({ secrets: canary('Secret'), store: memoryStore() }),
      () => createReceiver({ secrets: [SECRET, ` ${OLD_SECRET}`], store: memoryStore() }),
      () => createReceiver({ secrets: `${SECRET}\n`, store: memoryStore() }),
      () => createVerifier({ secrets: `whsec_${canary('é')}é`, secretEncoding: 'base64' }),
      () => createVerifier({ secrets: Array.from({ length: 9 }, () => SECRET) }),
      () => fetchRunFrom({ baseUrl: `https://user:${KEY}@api.example.com`, key: KEY }),
      () => fetchRunFrom({ baseUrl: canary('Url'), key: KEY }),
      () => fetchRunFrom({ baseUrl: 'https://api.example.com', key: `Bearer ${KEY}` }),
    ];
    for (const attempt of attempts) {
      let thrown: unknown;
      try {
        attempt();
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(TypeError);
      outside.see('option', thrown);
    }
    expect(outside.found()).toEqual([]);
  });
});
