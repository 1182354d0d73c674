import type { Delivery, DeliveryAttempt } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { setFilters } from '../../address.ts';
import { now } from '../../live/clock.ts';
import { Chip, duration, Time } from '../../parts/values.tsx';
import { errorWord } from './row.tsx';

interface AttemptsProps {
  readonly delivery: Delivery;
  /** The number of the attempt that is shown below. */
  readonly chosen: number | null;
}

/** The attempts of a delivery as a timeline, and the next one. */
export function Attempts({ delivery, chosen }: AttemptsProps): JSX.Element {
  const { attempts, nextAttemptAt, createdAt } = delivery;
  return (
    <ol class="attempts" aria-label="Attempts">
      {attempts.map((attempt, place) => (
        <li key={attempt.number}>
          <button
            type="button"
            aria-pressed={attempt.number === chosen}
            onClick={() => setFilters({ attempt: String(attempt.number) }, 'replace')}
          >
            <span class="number">{attempt.number}</span>
            <Time iso={attempt.startedAt} />
            <span class="quiet">
              + {waited(attempts[place - 1]?.startedAt ?? createdAt, attempt.startedAt)}
            </span>
            <ResultChip attempt={attempt} />
            <span class="quiet">{causeOf(attempt)}</span>
          </button>
        </li>
      ))}
      {nextAttemptAt !== null && (
        <li class="next">
          <span class="number">{attempts.length + 1}</span>
          <Time iso={nextAttemptAt} />
          <span class="quiet">in {waited(new Date(now.value).toISOString(), nextAttemptAt)}</span>
        </li>
      )}
    </ol>
  );
}

function ResultChip({ attempt }: { readonly attempt: DeliveryAttempt }): JSX.Element {
  const { status, error, startedAt, finishedAt } = attempt;
  const isGood = status !== null && status >= 200 && status < 300;
  const text = `${status ?? errorWord(error)} · ${waited(startedAt, finishedAt)}`;
  return <Chip tone={isGood ? 'good' : 'bad'} text={text} />;
}

function causeOf({ trigger, deliveryFault }: DeliveryAttempt): string {
  return [trigger === 'automatic' ? '' : trigger, deliveryFault ?? ''].filter(Boolean).join(' · ');
}

function waited(from: string, to: string): string {
  return duration(Math.max(0, Date.parse(to) - Date.parse(from)));
}
