import type { StreamEvent } from '@hookproof/spec/control';
import { effect, signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { EventSourceMessage } from 'eventsource-parser/stream';

import { ControlError, send } from '../control/call.ts';
import { token } from '../session.ts';
import { followers } from './follow.ts';

/** The state of the stream. `retryIn` is in seconds. */
export type Connection =
  | { readonly state: 'catching up' | 'live' }
  | { readonly state: 'lost'; readonly retryIn: number; readonly reason: string };

export const connection: Signal<Connection> = signal({ state: 'catching up' });

const RETRY_SECONDS = [1, 2, 3, 5, 10];
/** The server sends a comment every 15 s. */
const MAX_SILENCE_MILLISECONDS = 40_000;

let lastId = '';
let failures = 0;

/** Follows the stream while there is a token and the tab is visible, because a browser opens few connections. */
export function startConnection(): void {
  let stop = new AbortController();
  const restart = (): void => {
    stop.abort();
    stop = new AbortController();
    if (token.value !== null && !document.hidden) void keepReading(stop.signal);
  };
  effect(() => {
    if (token.value === null) lastId = '';
    restart();
  });
  document.addEventListener('visibilitychange', restart);
}

async function keepReading(stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    connection.value = { state: 'catching up' };
    const reason = await readStream(stopped);
    const seconds = RETRY_SECONDS[Math.min(failures, RETRY_SECONDS.length - 1)] ?? 1;
    failures += 1;
    for (let retryIn = seconds; retryIn > 0 && !stopped.aborted; retryIn -= 1) {
      connection.value = { state: 'lost', retryIn, reason };
      await pause(1_000, stopped);
    }
  }
}

/** Reads until the stream ends. Returns why. */
async function readStream(stopped: AbortSignal): Promise<string> {
  const silence = new AbortController();
  const cut = (): void => silence.abort();
  let timer = setTimeout(cut, MAX_SILENCE_MILLISECONDS);
  try {
    const ended = AbortSignal.any([stopped, silence.signal]);
    const headers = lastId === '' ? {} : { 'Last-Event-ID': lastId };
    const { body } = await send({ path: '/stream', signal: ended, headers });
    const heard = (): void => {
      clearTimeout(timer);
      timer = setTimeout(cut, MAX_SILENCE_MILLISECONDS);
    };
    const reader = (body ?? new ReadableStream())
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ onComment: heard }))
      .getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 'the server ended the stream';
      heard();
      if (!stopped.aborted) receive(eventOf(value));
    }
  } catch (error) {
    return error instanceof ControlError ? error.message : 'the server does not respond';
  } finally {
    clearTimeout(timer);
  }
}

function receive(event: StreamEvent): void {
  lastId = event.id;
  if (event.event !== 'ready' && event.event !== 'reset') return followers.queue(event);
  failures = 0;
  // Rows are missing unless the stream resumed. The lists are complete when they were read again.
  const reloaded = event.data.reason === 'resumed' ? null : followers.reload();
  void Promise.resolve(reloaded).then(() => {
    connection.value = { state: 'live' };
  });
}

function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    stopped.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function eventOf({ event, id, data }: EventSourceMessage): StreamEvent {
  const parsed: unknown = { event, id, data: JSON.parse(data) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the control interface describes its events
  return parsed as StreamEvent;
}
