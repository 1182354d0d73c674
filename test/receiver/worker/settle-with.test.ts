import { memoryStore } from '@hookproof/receiver/memory';
import type { Store } from '@hookproof/receiver';
import { runCreatedEvent } from '@hookproof/receiver/testing';
import { describe, expect, it } from 'vitest';

import { startedReceiver } from '../started-receiver.ts';

const event = runCreatedEvent();

/** A store whose settlement is one statement that the test executes. */
function withSettlement(store: Store<undefined>): Store<undefined> {
  const statement = { text: 'settle $1', values: [event.id] };
  return { ...store, settlement: () => [statement] };
}

describe('settleWith', () => {
  it('needs a store in the database of the user', async () => {
    const { deliver, problems } = await startedReceiver({
      retryForHours: 0,
      handlers: { event: (_event, { settleWith }) => settleWith(async () => 1) },
    });
    await deliver(event);
    expect(problems[0]?.message).toContain(
      'TypeError: settleWith() must have a store in your database, got another store.',
    );
  });

  it('belongs into the last handler of an event', async () => {
    const { deliver, problems } = await startedReceiver({
      store: withSettlement(memoryStore()),
      retryForHours: 0,
      handlers: {
        event: (_event, { settleWith }) => settleWith(async () => 1),
        pending: () => {},
      },
    });
    await deliver(event);
    expect(problems[0]?.message).toContain(
      'TypeError: settleWith() must be called in the last handler of an event, but another one ' +
        'follows. Move it there: the order is event, type, status, settled.',
    );
  });

  it.each<[string, unknown]>([
    ['no row', 0],
    ['no rows of a list', []],
    ['rowCount 0', { rowCount: 0 }],
    ['an empty result', { rows: [] }],
    ['count 0', { count: 0 }],
  ])('rejects when the statement changes nothing: %s', async (_name, result) => {
    const { deliver, problems } = await startedReceiver({
      store: withSettlement(memoryStore()),
      retryForHours: 0,
      handlers: { event: (_event, { settleWith }) => settleWith(async () => result) },
    });
    await deliver(event);
    expect(problems[0]?.message).toContain(
      `StoreError: Event ${event.id} must be held to be settled, but another process has it.`,
    );
  });

  it.each<[unknown, string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    ['1', 'string'],
    [{}, 'object'],
  ])('refuses the result %j of a client', async (result, kind) => {
    const { deliver, problems } = await startedReceiver({
      store: withSettlement(memoryStore()),
      retryForHours: 0,
      handlers: { event: (_event, { settleWith }) => settleWith(async () => result) },
    });
    await deliver(event);
    expect(problems[0]?.message).toContain(
      `TypeError: execute must return rows or their number, got ${kind}. Return what your database client returns.`,
    );
  });

  it('counts as a failure when the transaction of the user was not committed', async () => {
    const store = withSettlement(memoryStore());
    const { deliver, problems, receiver } = await startedReceiver({
      store,
      retryForHours: 0,
      handlers: { event: (_event, { settleWith }) => settleWith(async () => 1) },
    });
    await deliver(event);
    expect(problems[0]?.message).toContain(
      'Transaction with settleWith() must be committed before the handler resolves, but it was not.',
    );
    expect((await receiver.deadLetters()).items).toMatchObject([{ id: event.id }]);
  });
});
