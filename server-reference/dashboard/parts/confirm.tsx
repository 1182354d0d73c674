import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';

import { attempt } from './notice.tsx';

interface ConfirmProps {
  readonly label: string;
  /** The label of the button that does it. */
  readonly sure: string;
  readonly run: () => Promise<unknown>;
  /** The message when it is done. */
  readonly done: string;
  /** The accessible name, if the label alone does not say what it is for. */
  readonly title?: string;
}

/** A button for what cannot be undone. It asks first. */
export function Confirm({ label, sure, run, done, title }: ConfirmProps): JSX.Element {
  const isAsking = useSignal(false);
  if (!isAsking.value) {
    return (
      <button
        type="button"
        aria-label={title}
        onClick={() => {
          isAsking.value = true;
        }}
      >
        {label}
      </button>
    );
  }
  const close = (): void => {
    isAsking.value = false;
  };
  return (
    <span class="actions" role="group" aria-label={title ?? label}>
      <button
        type="button"
        class="danger"
        ref={(button) => button?.focus()}
        onClick={() => {
          close();
          void attempt(run, done);
        }}
      >
        {sure}
      </button>
      <button type="button" onClick={close}>
        Cancel
      </button>
    </span>
  );
}
