import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { JSX } from 'preact';

interface Question {
  readonly text: string;
  readonly action: string;
  readonly isDestructive: boolean;
  readonly resolve: (isSure: boolean) => void;
}

const question = signal<Question | null>(null);

/** Asks before something is changed, and resolves with true when it should be. */
export function confirm(
  text: string,
  action: string,
  { isDestructive = false }: { readonly isDestructive?: boolean } = {},
): Promise<boolean> {
  return new Promise((resolve) => {
    question.value = { text, action, isDestructive, resolve };
  });
}

/** The question that is open, if there is one. */
export function Confirm(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const asked = question.value;
  useEffect(() => {
    if (asked !== null) dialog.current?.showModal();
  }, [asked]);
  const close = (isSure: boolean): void => {
    dialog.current?.close();
    asked?.resolve(isSure);
    question.value = null;
  };
  return (
    <dialog ref={dialog} aria-labelledby="question" onCancel={() => close(false)}>
      <p id="question">{asked?.text}</p>
      <div class="toolbar">
        <span class="space" />
        <button onClick={() => close(false)}>Cancel</button>
        <button
          class={asked?.isDestructive === true ? 'destructive' : 'main'}
          onClick={() => close(true)}
        >
          {asked?.action}
        </button>
      </div>
    </dialog>
  );
}
