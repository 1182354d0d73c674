import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';

import type { Reading } from '../rows/record.ts';

interface LoadedProps<T> {
  readonly reading: ReadonlySignal<Reading<T>>;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows something that was read, or why it could not be read. */
export function Loaded<T>({ reading, children }: LoadedProps<T>): JSX.Element {
  const current = reading.value;
  if (current === null) return <p class="quiet loading">Loading …</p>;
  if ('failed' in current) return <p class="failed">{current.failed}</p>;
  return <>{children(current.value)}</>;
}

/** Returns what was read; undefined before that, and if it could not be read. */
export function valueOf<T>(reading: ReadonlySignal<Reading<T>>): T | undefined {
  const current = reading.value;
  return current !== null && 'value' in current ? current.value : undefined;
}
