import { createIngress, createReceiver } from '@hookproof/receiver';
import type { Logger } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runTimeline, sign, testReceiver } from '@hookproof/receiver/testing';
import { createVerifier } from '@hookproof/receiver/verify';
import { describe, expect, it, vi } from 'vitest';

import { SECRET } from '../started-receiver.ts';

type Line = readonly [level: string, facts: object, message: string];

function recordingLogger(): { logger: Logger; lines: Line[] } {
  const lines: Line[] = [];
  const at = (level: string) => (facts: object, message: string) =>
    void lines.push([level, facts, message]);
  const logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { logger, lines };
}

const fail = (): never => {
  throw new Error('the disk of the log is full');
};

const run = runTimeline(['pending', 'running']);

describe('without onError and logger', () => {
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
    const lines: unknown[][] = [];
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      vi.spyOn(console, level).mockImplementation((...line) => void lines.push([level, ...line]));
    }
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
});

describe('the option logger', () => {
  it('gets the start, each response, problems without their cause, and the end', async () => {
    const { logger, lines } = recordingLogger();
    const app = await testReceiver({
      logger,
      maxAttempts: 2,
      handlers: {
        running() {
          throw new Error('the database is locked');
        },
      },
    });
    await app.deliver(run.slice(1));
    await app.close();
    const about = { eventId: run[1]?.id, runId: 'exec_1', count: 1 };
    expect(lines).toEqual([
      ['debug', { work: true }, 'Receiver is started.'],
      [
        'debug',
        {
          code: 'accepted',
          status: 202,
          eventId: run[1]?.id,
          secretIndex: 0,
          durationMilliseconds: 0,
        },
        'Responded with 202 accepted.',
      ],
      [
        'warn',
        { ...about, code: 'handler_failed' },
        'Handler failed (attempt 1 of 2, next in 1000 ms). Error: the database is locked',
      ],
      [
        'error',
        { ...about, code: 'event_dead_lettered' },
        'Handler failed (attempt 2 of 2); see deadLetters(). Error: the database is locked',
      ],
      ['debug', {}, 'Receiver is closed.'],
    ]);
  });

  it('changes nothing when it throws', async () => {
    const codes: string[] = [];
    const app = await testReceiver({
      logger: { debug: fail, info: fail, warn: fail, error: fail },
      onError: ({ code }) => codes.push(code),
    });
    const sent = await app.deliver(run, { firstAttempt: { timestampOffsetSeconds: -400 } });
    expect(sent.every(({ outcome }) => outcome === 'delivered')).toBe(true);
    expect(app.handled).toHaveLength(2);
    expect(codes).toEqual(['deliveries_outside_tolerance']);
    await app.close();
  });

  it('serves an ingress too', async () => {
    const { logger, lines } = recordingLogger();
    const ingress = createIngress({
      verifier: createVerifier({ secrets: SECRET }),
      sink: { put: () => Promise.reject(new Error('the queue is gone')) },
      logger,
    });
    const body = Buffer.from('{}');
    const timestamp = Math.floor(Date.now() / 1000);
    const signed = sign({ secret: SECRET, id: 'whev_1', timestamp, body });
    const headers = { 'content-type': 'application/json', ...signed };
    expect(await ingress.receive({ method: 'POST', headers, body })).toMatchObject({ status: 503 });
    expect(lines.map(([level, , message]) => [level, message])).toEqual([
      ['error', expect.stringContaining('the queue is gone')],
      ['debug', 'Responded with 503 store_unavailable.'],
    ]);
  });

  it('writes a readable line to console: the message, then the facts', async () => {
    const lines: unknown[][] = [];
    const keep = (...line: unknown[]): void => void lines.push(line);
    for (const level of ['debug', 'warn', 'error'] as const) {
      vi.spyOn(console, level).mockImplementation(keep);
    }
    const app = await testReceiver({
      logger: console,
      handlers: {
        pending() {
          throw new Error('first line\n\u001B[31mand second');
        },
      },
      maxAttempts: 1,
    });
    await app.deliver(run.slice(0, 1));
    await app.close();
    expect(lines).toEqual([
      ['Receiver is started. [hookproof] work=true'],
      [
        'Responded with 202 accepted. [hookproof] code=accepted status=202 eventId=whev_exec_1_1 ' +
          'secretIndex=0 durationMilliseconds=0',
      ],
      [
        'Handler failed (attempt 1 of 1); see deadLetters(). Error: first line [31mand second ' +
          '[hookproof] eventId=whev_exec_1_1 runId=exec_1 code=event_dead_lettered count=1',
      ],
      ['Receiver is closed. [hookproof]'],
    ]);
  });

  it('is refused without one of its methods', () => {
    const { debug, info, warn } = console;
    const incomplete = { debug, info, warn } as unknown as Logger;
    expect(() =>
      createReceiver({ secrets: SECRET, store: memoryStore(), logger: incomplete }),
    ).toThrow(
      new TypeError(
        'logger must have the methods debug, info, warn and error, got one without error. Pass console or pino().',
      ),
    );
  });
});
