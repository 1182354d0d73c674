import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { PAGES } from '../pages/pages.ts';
import { isHelpOpen } from '../keyboard.ts';

const KEYS: readonly (readonly [string, string])[] = [
  ['j k', 'next, previous row'],
  ['↑ ↓', 'the same, when a row has the focus'],
  ['Enter', 'open the row'],
  ['Esc', 'back to the row'],
  ['/', 'search'],
  ['r', 'redeliver the open delivery'],
  ['c', 'copy the open row as a curl command'],
  ...PAGES.map(({ key, title }) => [`g ${key}`, title] as const),
  ['?', 'this help'],
];

/** The keys of the page. */
export function Help(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={close}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  );
}

function close(): void {
  isHelpOpen.value = false;
}
