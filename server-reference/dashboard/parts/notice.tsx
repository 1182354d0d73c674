import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';

import type { Tone } from './values.tsx';

interface Notice {
  readonly text: string;
  readonly tone: Tone;
}

const SHOWN_MILLISECONDS = 6_000;

const notice: Signal<Notice | null> = signal(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a message at the edge of the page for some seconds. */
export function notify(text: string, tone: Tone = 'plain'): void {
  notice.value = { text, tone };
  clearTimeout(timer);
  timer = setTimeout(() => {
    notice.value = null;
  }, SHOWN_MILLISECONDS);
}

/** Runs what the user asked for. Shows `done` when it succeeds, and otherwise why the server refused. */
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<void> {
  try {
    await work();
    if (done !== undefined) notify(done, 'good');
  } catch (error) {
    notify(error instanceof Error ? error.message : String(error), 'bad');
  }
}

/** The place of the messages. Screen readers read them out. */
export function Notices(): JSX.Element {
  const current = notice.value;
  return (
    <div class="notices" role="status">
      {current !== null && <p class={current.tone}>{current.text}</p>}
    </div>
  );
}
