import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/** Why a run starts: a key of the user, the interval, or a target that listens again. */
export type Trigger = 'key' | 'interval' | 'target';

const POLL_MILLISECONDS = 500;
const CONNECT_TIMEOUT_MILLISECONDS = 2_000;
const LOOPBACK = /^(localhost|127\.[0-9.]+|\[::1\])$/;

/** Where triggers come from. */
export interface TriggerSources {
  readonly input: NodeJS.ReadableStream;
  /** Null without an interval. */
  readonly intervalMilliseconds: number | null;
  /** The URLs of the API and of the receiver. */
  readonly targets: readonly string[];
  /** Aborts when the user ends the watch. */
  readonly end: AbortSignal;
  readonly onDown: () => void;
}

/**
 * Returns a function that resolves with the next trigger, or with null at the end. A target on this machine is watched
 * with a connection every half second, so that a restart is seen; another target only while it is unreachable, so that
 * it is not called for nothing.
 */
export function openTriggers(sources: TriggerSources): {
  readonly next: (isUnreachable: boolean) => Promise<Trigger | null>;
  readonly close: () => void;
} {
  const { input, intervalMilliseconds, targets, end, onDown } = sources;
  const lines = createInterface({ input });
  /** A line during a run asks for another run after it. */
  let isAsked = false;
  lines.on('line', () => (isAsked = true));
  const asked = (): Trigger => {
    isAsked = false;
    return 'key';
  };
  return {
    close: () => lines.close(),
    async next(isUnreachable) {
      if (end.aborted) return null;
      if (isAsked) return asked();
      const done = new AbortController();
      const signal = AbortSignal.any([end, done.signal]);
      const watched = targets.filter(
        (url) => isUnreachable || LOOPBACK.test(new URL(url).hostname),
      );
      try {
        return await Promise.race([
          once(lines, 'line', { signal }).then(asked),
          delay(intervalMilliseconds, signal).then(() => 'interval' as const),
          ...watched.map((url) =>
            restarted(url, { signal, isDown: isUnreachable, onDown }).then(() => 'target' as const),
          ),
        ]);
      } catch (error) {
        if (end.aborted) return null;
        throw error;
      } finally {
        done.abort();
      }
    },
  };
}

/** Resolves when a target that did not listen does so again. */
async function restarted(
  url: string,
  state: { readonly signal: AbortSignal; readonly isDown: boolean; readonly onDown: () => void },
): Promise<void> {
  let { isDown } = state;
  for (;;) {
    const listens = await isListening(url);
    if (listens && isDown) return;
    if (!listens && !isDown) state.onDown();
    isDown = !listens;
    await delay(POLL_MILLISECONDS, state.signal);
  }
}

async function isListening(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    timeout: CONNECT_TIMEOUT_MILLISECONDS,
  });
  try {
    return await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('timeout', () => resolve(false));
      socket.once('error', () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}

/** Rejects when the signal aborts. Without a time, it only waits for that. */
function delay(milliseconds: number | null, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = milliseconds === null ? undefined : setTimeout(resolve, milliseconds);
    const abort = (): void => {
      clearTimeout(timer);
      reject(new Error('The wait ended.'));
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
