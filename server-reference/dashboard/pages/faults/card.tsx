import type { ComponentChildren, JSX } from 'preact';

import { pathOf } from '../../address.ts';
import { removeFault } from '../../control/faults.ts';
import { attempt } from '../../parts/notice.tsx';
import { Chip, Time } from '../../parts/values.tsx';

interface CardProps {
  readonly name: string;
  readonly text: string;
  readonly button: string;
  /** Whether it applies now. */
  readonly isArmed: boolean;
  readonly run: () => Promise<unknown>;
  readonly done: string;
  readonly children?: ComponentChildren;
}

/** A fault with its one button, and what it has hit. */
export function Card({ name, text, button, isArmed, run, done, children }: CardProps): JSX.Element {
  return (
    <li class={isArmed ? 'card armed' : 'card'}>
      <h3>{name}</h3>
      <p>{text}</p>
      <button
        type="button"
        aria-label={`${button} ${name}`}
        onClick={() => void attempt(run, done)}
      >
        {button}
      </button>
      {children}
    </li>
  );
}

/** One request or delivery that a fault was applied to. */
interface Hit {
  readonly at: string;
  readonly page: 'deliveries' | 'requests';
  readonly id: string;
  readonly text: string;
}

interface FaultLineProps {
  readonly kind: 'delivery' | 'api';
  readonly id: string;
  readonly armed: boolean;
  readonly hits: number;
  /** Newest first. */
  readonly recent: readonly Hit[];
}

const MAX_SHOWN_HITS = 5;

/** An injected fault with its newest hits. */
export function FaultLine({ kind, id, armed, hits, recent }: FaultLineProps): JSX.Element {
  return (
    <div class="injected">
      <div class="injected-head">
        <Chip tone={armed ? 'wait' : 'plain'} text={armed ? 'armed' : 'done'} />
        <span class="quiet">{hits === 1 ? '1 hit' : `${hits} hits`}</span>
        <button
          type="button"
          aria-label={`Remove ${id}`}
          onClick={() => void attempt(() => removeFault(kind, id))}
        >
          Remove
        </button>
      </div>
      <ul>
        {recent.slice(0, MAX_SHOWN_HITS).map(({ at, page, id: hitId, text }) => (
          <li key={hitId}>
            <Time iso={at} />{' '}
            <a class="id" href={pathOf({ page, id: hitId })}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
