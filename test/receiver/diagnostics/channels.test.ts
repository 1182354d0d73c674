import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';

import { createProcessor } from '@hookproof/receiver';
import type { FetchRunTrace, HandleTrace, ReceiveTrace } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runCreatedEvent, runTimeline, testReceiver } from '@hookproof/receiver/testing';
import type { TestReceiver, TestReceiverOptions } from '@hookproof/receiver/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

async function started(options?: TestReceiverOptions): Promise<TestReceiver> {
  const app = await testReceiver(options);
  onTestFinished(() => app.close());
  return app;
}

/** Records a copy of each message of a tracing channel at its start, and the message at its end. */
function recorded<Message extends object>(name: string) {
  const starts: Message[] = [];
  const ends: Message[] = [];
  const errors: unknown[] = [];
  const subscriber = {
    start: (message: Message) => void starts.push({ ...message }),
    end: () => undefined,
    asyncStart: () => undefined,
    asyncEnd: (message: Message) => void ends.push(message),
    error: (message: Message & { error: unknown }) => void errors.push(message.error),
  };
  const channel = tracingChannel<unknown, Message>(name);
  channel.subscribe(subscriber);
  onTestFinished(() => channel.unsubscribe(subscriber));
  return { starts, ends, errors };
}

const run = runTimeline(['pending', 'running', 'completed']);

describe('the diagnostics channels', () => {
  it('publish the start and the end of a request', async () => {
    const { starts, ends } = recorded<ReceiveTrace>('hookproof:receive');
    const app = await started();
    await app.deliver(run.slice(0, 1));
    expect(starts).toMatchObject([{ code: null, status: null, secretIndex: null, eventId: null }]);
    expect(ends).toMatchObject([
      { code: 'accepted', status: 202, secretIndex: 0, eventId: run[0]?.id },
    ]);
  });

  it('publish each attempt with its handler, and what it threw', async () => {
    const { ends, errors } = recorded<HandleTrace>('hookproof:handle');
    const failure = new Error('not now');
    const app = await started({
      retryForHours: 0.0001,
      handlers: {
        completed() {
          throw failure;
        },
      },
    });
    app.receiver.on('test', () => undefined);
    await app.deliver(run);
    await app.deliver([runCreatedEvent({ id: 'whev_test', test: true })]);
    expect(ends.map(({ handler, attempt, outcome }) => [handler, attempt, outcome])).toEqual([
      ['pending', 1, 'handled'],
      ['running', 1, 'handled'],
      ['completed', 1, 'failed'],
      ['completed', 2, 'failed'],
      ['test', 1, 'handled'],
    ]);
    expect(errors).toEqual([failure, failure]);
  });

  it('say whether an event is a replay', async () => {
    const { ends } = recorded<HandleTrace>('hookproof:handle');
    const app = await started({ keepBodiesDays: 7 });
    await app.deliver(run.slice(0, 1));
    await app.receiver.replay({});
    await app.receiver.idle();
    expect(ends.map(({ attempt, isReplay }) => [attempt, isReplay])).toEqual([
      [1, false],
      [1, true],
    ]);
  });

  it('publish no result of fetchRun', async () => {
    const { ends } = recorded<FetchRunTrace>('hookproof:fetchRun');
    const output = { total: 'canary of the output' };
    const app = await started({ fetchRun: async () => ({ status: 'completed', output }) });
    const large = structuredClone(run[2] ?? runCreatedEvent());
    large.data.run.outputOmitted = true;
    await app.deliver([...run.slice(0, 2), large]);
    expect(app.handled.at(-1)?.event.data.run.output).toEqual(output);
    expect(ends).toMatchObject([
      { runId: 'exec_1', eventId: large.id, purpose: 'output', outcome: 'read' },
    ]);
    expect(JSON.stringify(ends)).not.toContain('canary');
  });

  it('publish the writes of a processor behind a queue', async () => {
    const { ends } = recorded('hookproof:accept');
    const processor = createProcessor({ store: memoryStore() });
    await processor.start();
    onTestFinished(() => processor.close());
    const event = runCreatedEvent({ id: 'whev_queued' });
    const body = Buffer.from(JSON.stringify(event));
    await processor.process({ id: event.id, body, timestamp: 1 });
    await processor.process({ id: event.id, body, timestamp: 2 });
    expect(ends).toMatchObject([
      { eventId: 'whev_queued', kind: 'run', outcome: 'new' },
      { eventId: 'whev_queued', kind: 'run', outcome: 'duplicate' },
    ]);
  });

  it('publish every problem, also those above the rate of onError', async () => {
    const codes: unknown[] = [];
    const listen = (message: unknown): void => {
      if (typeof message === 'object' && message !== null && 'code' in message) {
        codes.push(message.code);
      }
    };
    subscribe('hookproof:problem', listen);
    onTestFinished(() => void unsubscribe('hookproof:problem', listen));
    const app = await started();
    for (let copy = 0; copy < 3; copy += 1) {
      await app.deliver(run.slice(0, 1), { firstAttempt: { secret: 'whsec_other' } });
    }
    expect(app.problems).toHaveLength(1);
    expect(codes).toEqual(Array.from({ length: 3 }, () => 'deliveries_refused'));
  });
});
