import type { ComponentChildren, JSX } from 'preact';

import { address, setFilters } from '../address.ts';

export interface Tab {
  readonly name: string;
  readonly view: () => ComponentChildren;
}

interface TabsProps {
  /** The accessible name of the list of tabs. */
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** The tab that is open until the user chooses one. Default: the first. */
  readonly initial?: string | undefined;
}

/** Tabs. The arrow keys move between them, and the address names the chosen one. */
export function Tabs({ label, tabs, initial }: TabsProps): JSX.Element {
  const chosen = address.value.filters['tab'] ?? initial;
  const open = tabs.find(({ name }) => slugOf(name) === slugOf(chosen ?? '')) ?? tabs[0];
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || open === undefined) return;
    event.preventDefault();
    const next = tabs.at((tabs.indexOf(open) + step) % tabs.length);
    choose(next?.name ?? '');
    document.getElementById(`tab-${slugOf(next?.name ?? '')}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={label} class="tabs" onKeyDown={move}>
        {tabs.map(({ name }) => (
          <button
            type="button"
            key={name}
            role="tab"
            id={`tab-${slugOf(name)}`}
            aria-selected={name === open?.name}
            aria-controls="tab-panel"
            tabIndex={name === open?.name ? 0 : -1}
            onClick={() => choose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id="tab-panel"
        aria-labelledby={`tab-${slugOf(open?.name ?? '')}`}
        tabIndex={0}
      >
        {open?.view()}
      </div>
    </>
  );
}

function choose(name: string): void {
  setFilters({ tab: slugOf(name) }, 'replace');
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}
