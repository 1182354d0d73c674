import { expect, test } from 'vitest';

import { waitUntil } from '../../../../server-reference/src/lab/control/wait.ts';

/** Changes that the test announces, and their listeners. */
function changes(): { listeners: Set<() => void>; subscribe: (on: () => void) => () => void } {
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { listeners, subscribe };
}

function never(): boolean {
  return false;
}

test('ends when the caller disconnects, and stops listening', async () => {
  const { listeners, subscribe } = changes();
  const gone = new AbortController();
  const waiting = waitUntil(never, subscribe, 60_000, gone.signal);
  expect(listeners.size).toBe(1);
  gone.abort();
  expect(await waiting).toBe(false);
  expect(listeners.size).toBe(0);
});

test('rejects with the error of its read function', async () => {
  const { listeners, subscribe } = changes();
  let broken = false;
  const reached = (): boolean => {
    if (broken) throw new Error('it is gone');
    return false;
  };
  const waiting = waitUntil(reached, subscribe, 60_000, new AbortController().signal);
  broken = true;
  for (const listener of listeners) listener();
  await expect(waiting).rejects.toThrow('it is gone');
  expect(listeners.size).toBe(0);
});
