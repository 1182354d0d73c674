import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';

import { pathOf } from '../address.ts';
import { connection } from '../live/connection.ts';
import { Actions } from './actions.tsx';
import { ClockView } from './clock-view.tsx';
import { Search } from './search.tsx';
import { StopAll } from './stop-all.tsx';
import { WorldChoice } from './world-choice.tsx';

/** The bar above every page: world, clock, connection, search, and what starts something. */
export function TopBar(): JSX.Element {
  const isOpen = useSignal(false);
  return (
    <header class={isOpen.value ? 'top open' : 'top'}>
      <a class="brand" href={pathOf({ page: 'deliveries' })}>
        Hookproof
      </a>
      <WorldChoice />
      <Search />
      <ClockView />
      <ConnectionWord />
      <StopAll />
      <Actions />
      <button
        type="button"
        class="menu-button"
        aria-label="More"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        ☰
      </button>
    </header>
  );
}

function ConnectionWord(): JSX.Element {
  const current = connection.value;
  if (current.state !== 'lost') {
    return (
      <span class={`connection ${current.state === 'live' ? 'live' : 'waiting'}`} role="status">
        {current.state}
      </span>
    );
  }
  return (
    <span class="connection lost" role="status" title={current.reason}>
      lost, retry in {current.retryIn} s
    </span>
  );
}
