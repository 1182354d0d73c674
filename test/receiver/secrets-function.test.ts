import type { ReceiverOptions } from '@hookproof/receiver';
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
  it('are read for each delivery, so that a new one is accepted at once', async () => {
    const { secrets, answers, send } = await reading(Promise.resolve([NEWER, SECRET]));
    expect(secrets).not.toHaveBeenCalled();
    expect(await Promise.all([send(), send()])).toEqual(['accepted', 'duplicate']);
    expect(secrets).toHaveBeenCalledTimes(2);
    answers(NEWER);
    expect([await send(newer), await send()]).toEqual(['duplicate', 'signature_mismatch']);
  });

  it.each([
    ['throws', new Error('vault is sealed'), /got Error: vault is sealed/],
    ['returns none', [], /got TypeError: secrets must be 1 to 8 secrets, got 0/],
  ])('are a 503 and a problem while the function %s', async (_, answer, message) => {
    const { answers, send, problems } = await reading(answer);
    expect([await send(), await send()]).toEqual(['secrets_unavailable', 'secrets_unavailable']);
    expect(problems).toMatchObject([
      { code: 'secrets_unavailable', message: expect.stringMatching(message) },
    ]);
    answers(SECRET);
    expect(await send()).toBe('accepted');
  });

  it('are a 503 when the function takes longer than 3 seconds', async () => {
    const { send, clock, answers } = await reading(new Promise(() => {}));
    const slow = send();
    await clock.advance(3_000);
    expect(await slow).toBe('secrets_unavailable');
    answers(SECRET);
    expect(await send()).toBe('accepted');
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
    expect(secrets).toHaveBeenCalledTimes(3);
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
