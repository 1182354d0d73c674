import { createServer, realClock } from '@hookproof/server-reference';
import type { Clock, TimerCallback, TimerHandle } from '@hookproof/server-reference';

interface HurriedTimer extends TimerHandle {
  readonly callback: TimerCallback;
  timeout?: NodeJS.Timeout;
}

/** A real clock with adjustable speed. Timeouts and delays keep their proportions. */
function hurriedClock(): Clock & { hurry(times: number): void } {
  const timers = new Set<HurriedTimer>();
  let since = Date.now();
  let base = since;
  let speed = 1;
  const now = (): number => base + (Date.now() - since) * speed;
  const start = (timer: HurriedTimer): void => {
    const fire = (): void => {
      timers.delete(timer);
      void timer.callback();
    };
    timer.timeout = setTimeout(fire, Math.max(0, timer.dueAt - now()) / speed);
    timers.add(timer);
  };
  const stop = (timer: HurriedTimer): void => {
    clearTimeout(timer.timeout);
    timers.delete(timer);
  };
  return {
    ...realClock(),
    now,
    steady: now,
    setTimeout(callback, delay) {
      const timer: HurriedTimer = { dueAt: now() + delay, callback };
      start(timer);
      return timer;
    },
    clearTimeout: (handle) => stop(handle as HurriedTimer),
    hurry(times) {
      [base, since, speed] = [now(), Date.now(), times];
      const waiting = [...timers];
      for (const timer of waiting) {
        stop(timer);
        start(timer);
      }
    },
  };
}

/** The reference server in memory. A message with a number sets the speed of its clock. */
const clock = hurriedClock();
const { baseUrl, world, controlToken } = await createServer({ store: { kind: 'memory' }, clock });
process.on('message', (times: number) => clock.hurry(times));
process.send?.({ baseUrl, key: world.keys.wildcard, controlToken });
process.on('disconnect', () => process.exit());
