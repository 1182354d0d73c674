import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';

export interface Tab {
  readonly name: string;
  readonly view: () => ComponentChildren;
}

interface TabsProps {
  /** The accessible name of the list of tabs. */
  readonly label: string;
  readonly tabs: readonly Tab[];
}

/** Tabs. The arrow keys move between them. */
export function Tabs({ label, tabs }: TabsProps): JSX.Element {
  const chosen = useSignal(tabs[0]?.name ?? '');
  const open = tabs.find(({ name }) => name === chosen.value) ?? tabs[0];
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || open === undefined) return;
    event.preventDefault();
    const next = tabs.at((tabs.indexOf(open) + step) % tabs.length);
    chosen.value = next?.name ?? '';
    document.getElementById(`tab-${chosen.value}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={label} class="tabs" onKeyDown={move}>
        {tabs.map(({ name }) => (
          <button
            type="button"
            key={name}
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === open?.name}
            aria-controls="tab-panel"
            tabIndex={name === open?.name ? 0 : -1}
            onClick={() => {
              chosen.value = name;
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${open?.name}`} tabIndex={0}>
        {open?.view()}
      </div>
    </>
  );
}
