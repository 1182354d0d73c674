import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createServer, virtualClock } from '@hookproof/server-reference';
import type { TimerCallback, TimerHandle, VirtualClock } from '@hookproof/server-reference';
import { expect, test } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { START, controlClient } from './lab/control/control-client.ts';
import { listenAt } from './events/endpoint-listener.ts';
import { recordingLogger } from './store/recording-logger.ts';

interface FailingClock {
  readonly clock: VirtualClock;
  /** The timers and alarms that the clock still holds. */
  readonly held: ReadonlySet<unknown>;
  /** Whether the call that fails was made. */
  readonly hasFailed: () => boolean;
}

const FAILURE = new Error('the clock is broken');

/** A clock whose n-th call fails, whatever it is. */
function failingClock(failing: number): FailingClock {
  const inner = virtualClock({ now: START });
  const held = new Set<unknown>();
  let count = 0;
  const called = (): void => {
    count += 1;
    if (count === failing) throw FAILURE;
  };
  const set = (
    callback: TimerCallback,
    start: (fire: TimerCallback) => TimerHandle,
  ): TimerHandle => {
    called();
    const timer = start(() => {
      held.delete(timer);
      return callback();
    });
    held.add(timer);
    return timer;
  };
  const clock: VirtualClock = {
    ...inner,
    now: () => (called(), inner.now()),
    steady: () => (called(), inner.steady()),
    track: (work) => (called(), inner.track(work)),
    setTimeout: (callback, delay) => set(callback, (fire) => inner.setTimeout(fire, delay)),
    setAlarm: (callback, dueAt) => set(callback, (fire) => inner.setAlarm(fire, dueAt)),
    clearTimeout(timer) {
      held.delete(timer);
      inner.clearTimeout(timer);
    },
  };
  return { clock, held, hasFailed: () => count >= failing };
}

test('whatever call of the clock fails while a server starts, nothing stays open', async () => {
  const store = await folderWithWork();
  const listening = listeningServers();
  let refused = 0;
  for (let failing = 1; ; failing += 1) {
    const { clock, held, hasFailed } = failingClock(failing);
    const options = { store, clock, appPort: 0, logger: recordingLogger() };
    const error: unknown = await createServer(options)
      .then((server) => server.close())
      .catch((thrown: unknown) => thrown);
    if (error !== undefined) {
      expect(error).toBe(FAILURE);
      refused += 1;
    }
    expect([...held], `after a failure of call ${failing}`).toEqual([]);
    expect(listeningServers()).toBe(listening);
    if (!hasFailed()) break;
  }
  expect(refused).toBeGreaterThan(5);
});

test('a second port that is taken leaves nothing open', async () => {
  const store = await folderWithWork();
  const taken = await listenAt();
  const listening = listeningServers();
  const { clock, held } = failingClock(0);
  const options = { store, clock, appPort: Number(new URL(taken.url).port) };
  await expect(createServer(options)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect([[...held], listeningServers()]).toEqual([[], listening]);
});

test('a folder whose files cannot be read leaves nothing open', async () => {
  const store = await folderWithWork();
  const blobs = join(store.path, 'blobs');
  renameSync(blobs, `${blobs}-away`);
  writeFileSync(blobs, '');
  const { clock, held } = failingClock(0);
  await expect(createServer({ store, clock })).rejects.toThrow('EEXIST');
  expect([...held]).toEqual([]);
  rmSync(blobs);
  renameSync(`${blobs}-away`, blobs);
  await (await createServer({ store })).close();
});

/** A folder with a run that moves and a delivery that is repeated, both later. */
async function folderWithWork(): Promise<{ readonly kind: 'folder'; readonly path: string }> {
  const store = { kind: 'folder', path: emptyFolder() } as const;
  const server = await createServer({ store, clock: virtualClock({ now: START }) });
  const control = controlClient(server);
  await control.endpoint('http://127.0.0.1:9/');
  await control.run({ scheduledTransitions: [{ status: 'running', afterMilliseconds: 60_000 }] });
  await control.idle();
  await server.close();
  return store;
}

function listeningServers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
}
