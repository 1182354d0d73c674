import type { Clock } from '@hookproof/spec/control';
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';

import { getClock } from '../control/operations.ts';
import { followers } from './follow.ts';

/** The clock of the server; null until it is known. */
export const clock: Signal<Clock | null> = signal(null);

/** Changes each second, while somebody looks. */
const tick = signal(Date.now());
/** The clock of the server minus that of the browser, for a real clock. */
let offset = 0;
let isReading = false;

/** The time of the server in milliseconds. It moves by itself if the clock is real. */
export const now: ReadonlySignal<number> = computed(() => {
  const current = clock.value;
  if (current?.mode === 'virtual') return Date.parse(current.now);
  return tick.value + offset;
});

/** Follows the clock of the server. */
export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) tick.value = Date.now();
  }, 1_000);
  followers.add({
    reload: readClock,
    apply({ event, data }) {
      if (event === 'clock') show(data);
      // What is due next changes with runs and deliveries, without a row of the clock.
      else if (clock.value?.mode === 'virtual' && (event === 'run' || event === 'delivery')) {
        void readClock();
      }
    },
  });
}

async function readClock(): Promise<void> {
  if (isReading) return;
  isReading = true;
  try {
    show(await getClock());
  } catch {
    // The connection shows that the server does not respond; its next `ready` reads again.
  } finally {
    isReading = false;
  }
}

function show(read: Clock): void {
  offset = Date.parse(read.now) - Date.now();
  clock.value = read;
}
