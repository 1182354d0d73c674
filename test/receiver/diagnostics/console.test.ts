import { createIngress, createReceiver } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runCreatedEvent, sign, signEvent, testReceiver } from '@hookproof/receiver/testing';
import { createVerifier } from '@hookproof/receiver/verify';
import { describe, expect, it, vi } from 'vitest';

import { SECRET } from '../started-receiver.ts';

/** Returns what is written to the console from now on. */
function consoleLines(): unknown[][] {
  const lines: unknown[][] = [];
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((...line) => void lines.push([level, ...line]));
  }
  return lines;
}

describe('without onError', () => {
  const given = { secrets: SECRET, verifier: createVerifier({ secrets: SECRET }) };
  const forged = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...sign({ secret: 'whsec_other', id: 'whev_1', timestamp: 1, body: Buffer.from('{}') }),
    },
    body: Buffer.from('{}'),
  };

  it.each([
    [
      'a receiver',
      async () => {
        const receiver = createReceiver({ secrets: given.secrets, store: memoryStore() });
        await receiver.start({ work: false });
        return receiver;
      },
    ],
    [
      'an ingress',
      async () => createIngress({ verifier: given.verifier, sink: { put: async () => {} } }),
    ],
  ])('%s writes problems to the console, one line each, and nothing else', async (_, create) => {
    const lines = consoleLines();
    const receiver = await create();
    expect(await receiver.receive(forged)).toMatchObject({ code: 'signature_mismatch' });
    await receiver.close();
    expect(lines).toEqual([
      [
        'error',
        expect.stringMatching(
          /^A delivery got 401 .* \[hookproof\] code=deliveries_refused count=1$/,
        ),
      ],
    ]);
  });

  it('the stack of what a handler threw is written, with those of its causes, and no other member of it', async () => {
    const lines = consoleLines();
    const receiver = createReceiver({
      secrets: SECRET,
      store: memoryStore(),
      handlers: {
        event() {
          const cause = Object.assign(new Error('connect ECONNREFUSED'), { payload: 'private' });
          throw new TypeError('fetch\n\u001B[31mfailed', { cause });
        },
      },
    });
    await receiver.start();
    await receiver.receive({ method: 'POST', ...signEvent(runCreatedEvent(), { secret: SECRET }) });
    await receiver.idle();
    await receiver.close();
    const [[level, text] = []] = lines;
    expect(level).toBe('warn');
    const [first, ...stack] = String(text).split('\n');
    expect(first).toMatch(
      /TypeError: fetch .*failed \(cause: Error: connect ECONNREFUSED\) \[hookproof\]/,
    );
    expect(first).toMatch(/eventId=whev_exec_1_created runId=exec_1 code=handler_failed count=1/);
    expect(stack.join('\n')).toMatch(
      /^TypeError: fetch[^]+ at [^]+console\.test\.ts[^]+\n {2}caused by Error: connect/,
    );
    expect(text).not.toContain('private');
  });
});

describe('the level of a problem', () => {
  it('says whether a person must act', async () => {
    const app = await testReceiver({
      handlers: {
        event() {
          throw new Error('no');
        },
      },
    });
    await app.deliver([runCreatedEvent()]);
    const levels = new Map(app.problems.map(({ code, level }) => [code, level] as const));
    expect(levels).toEqual(
      new Map([
        ['handler_failed', 'warn'],
        ['event_dead_lettered', 'error'],
      ]),
    );
    await app.close();
  });
});
