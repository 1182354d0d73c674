import { createReceiver } from '@hookproof/receiver';
import type { ReceiverOptions } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import * as node from '@hookproof/receiver/verify';
import * as web from '@hookproof/receiver/verify-web';
import { describe, expect, it, test, vi } from 'vitest';

import { SECRET, startedReceiver } from './started-receiver.ts';
import { untyped } from './verify-delivery.ts';
import { NOON } from './virtual-clock.ts';

const NEWER = 'whsec_the_newer_one';
const now = (): number => NOON;
const event = runCreatedEvent();
const delivery = signEvent(event, { secret: SECRET, now });
const newer = signEvent(event, { secret: NEWER, now });

/** A receiver whose function returns, throws or waits as the test says. */
async function reading(first: unknown, options: Partial<ReceiverOptions> = {}) {
  const secrets = vi.fn();
  const answers = (answer: unknown): void => {
    secrets.mockImplementation(() => {
      if (answer instanceof Error) throw answer;
      return answer;
    });
  };
  answers(first);
  const started = await startedReceiver({ secrets, toleranceSeconds: 1_000_000, ...options });
  const send = async ({ headers, body } = delivery) =>
    (await started.receiver.receive({ method: 'POST', headers, body })).code;
  return { ...started, secrets, answers, send };
}

describe('secrets of a function', () => {
  it('are read with the first delivery and again after the cache time', async () => {
    const { secrets, send, clock } = await reading(Promise.resolve([NEWER, SECRET]), {
      secretsCacheMilliseconds: 10_000,
    });
    expect(secrets).not.toHaveBeenCalled();
    expect(await Promise.all([send(), send()])).toEqual(['accepted', 'duplicate']);
    await clock.advance(9_999);
    await send();
    expect(secrets).toHaveBeenCalledTimes(1);
    await clock.advance(1);
    await send();
    expect(secrets).toHaveBeenCalledTimes(2);
  });

  it('are read again when a signature matches none of them, once a second', async () => {
    const { secrets, answers, send, clock } = await reading(SECRET);
    expect(await send()).toBe('accepted');
    answers([NEWER, SECRET]);
    expect(await send(newer)).toBe('signature_mismatch');
    await clock.advance(1_000);
    expect(await send(newer)).toBe('duplicate');
    expect(secrets).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['throws', new Error('vault is sealed'), /got Error: vault is sealed/],
    ['returns none', [], /got TypeError: secrets must be 1 to 8 secrets, got 0/],
  ])('are a 503 and a problem while the function %s', async (_, answer, message) => {
    const { answers, send, clock, problems, secrets } = await reading(answer);
    expect(await send()).toBe('secrets_unavailable');
    expect(await send()).toBe('secrets_unavailable');
    expect(secrets).toHaveBeenCalledTimes(1);
    expect(problems).toMatchObject([
      { code: 'secrets_unavailable', message: expect.stringMatching(message) },
    ]);
    answers(SECRET);
    await clock.advance(1_000);
    expect(await send()).toBe('accepted');
  });

  it('are a 503 when the function takes longer than 3 seconds', async () => {
    const { send, clock, answers } = await reading(new Promise(() => {}));
    const slow = send();
    await clock.advance(3_000);
    expect(await slow).toBe('secrets_unavailable');
    answers(SECRET);
    await clock.advance(1_000);
    expect(await send()).toBe('accepted');
  });

  it('are used further while the function fails, and what matches none of them gets 503', async () => {
    const { answers, send, clock, problems } = await reading(SECRET);
    expect(await send()).toBe('accepted');
    answers(new Error('vault is sealed'));
    await clock.advance(60_000);
    expect(await send()).toBe('duplicate');
    expect(problems).toMatchObject([
      { code: 'secrets_unavailable', message: expect.stringMatching(/^The last known secrets/) },
    ]);
    expect(await send(newer)).toBe('secrets_unavailable');
    answers([NEWER]);
    await clock.advance(1_000);
    expect(await send(newer)).toBe('duplicate');
    expect(await send()).toBe('signature_mismatch');
  });

  it('explain a refused delivery', async () => {
    const { send, problems } = await reading(SECRET, { explainRefusals: true });
    const { body } = delivery;
    await send({ ...delivery, body: Buffer.from(`${body.toString()}\n`) });
    await vi.waitFor(() => expect(problems.at(-1)?.code).toBe('delivery_explained'));
  });
});

describe.each([
  ['/verify', node],
  ['/verify-web', web],
])('%s', (_, door) => {
  test('takes a function', async () => {
    const secrets = vi.fn(async () => [NEWER, SECRET]);
    const verifier = door.createVerifier(untyped({ secrets, now }));
    for (let times = 0; times < 3; times += 1) {
      const verified = await verifier.verifySignature(delivery.headers, delivery.body);
      expect(verified.secretIndex).toBe(1);
    }
    expect(secrets).toHaveBeenCalledTimes(1);
    const { headers, body } = delivery;
    const request = new Request('http://localhost/', {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    });
    expect(await door.verifyRequest(request, { secrets, now })).toEqual(event);
  });

  test('reports a function that fails', async () => {
    const cause = new Error('vault is sealed');
    const options = untyped({ secrets: () => Promise.reject(cause), now });
    const verified = async () =>
      door.createVerifier(options).verifySignature(delivery.headers, delivery.body);
    await expect(verified()).rejects.toBeInstanceOf(door.SecretsUnavailableError);
    await expect(verified()).rejects.toMatchObject({ code: 'secrets_unavailable', cause });
  });
});

test('verify() of Node.js refuses a function by name', () => {
  const options = untyped({ secrets: () => SECRET });
  expect(() => node.verify(delivery.body, delivery.headers, options)).toThrow(/got a function/);
});

test('an invalid cache time is a mistake of the caller', () => {
  const options = { secrets: () => SECRET, store: memoryStore(), secretsCacheMilliseconds: 0 };
  expect(() => createReceiver(options)).toThrow(/secretsCacheMilliseconds must be a positive/);
});
