import type { WaitingEvent } from '@hookproof/receiver';
import type { JSX } from 'preact';

import { duration, missing } from './values.tsx';

type Waits = Pick<WaitingEvent, 'why' | 'gap' | 'dueIn' | 'leasedFor'>;

/** Why an event waits, and until when if that is known. */
export function Why({ of }: { readonly of: Waits }): JSX.Element {
  return <span class={`why ${of.why}`}>{textOf(of)}</span>;
}

function textOf({ why, gap, dueIn, leasedFor }: Waits): string {
  const inTime = dueIn === null ? null : `in ${duration(dueIn)}`;
  switch (why) {
    case 'in_hand':
      return `a process handles its run; its lease ends in ${duration(leasedFor ?? 0)} unless it is renewed`;
    case 'retry':
      return `it failed; next attempt ${inTime ?? 'later'}`;
    case 'due':
      return 'a process will take it now';
    case 'paused':
      return 'its handler is paused';
    case 'order':
    default:
      if (gap !== null)
        return `events ${missing(gap)} are missing; goes on ${inTime ?? 'when they arrive'}`;
      return inTime === null
        ? 'an earlier event of its run waits or failed'
        : `earlier events of its run come first; goes on ${inTime}`;
  }
}
