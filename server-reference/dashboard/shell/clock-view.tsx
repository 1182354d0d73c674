import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';

import { advanceClock } from '../control/operations.ts';
import { clock, now } from '../live/clock.ts';
import { attempt } from '../parts/notice.tsx';
import { duration } from '../parts/values.tsx';

const STEPS: readonly (readonly [string, number])[] = [
  ['+1 s', 1_000],
  ['+1 min', 60_000],
  ['+1 h', 3_600_000],
];

/** The time of the server. A virtual clock can be advanced. */
export function ClockView(): JSX.Element | null {
  const current = clock.value;
  const isMoving = useSignal(false);
  if (current === null) return null;
  const time = new Date(now.value).toISOString();
  if (current.mode === 'real') {
    return (
      <span class="clock" title="The server uses the real time, in UTC">
        {time.slice(11, 19)} UTC
      </span>
    );
  }
  const advance = (milliseconds: number): void => {
    isMoving.value = true;
    void attempt(() => advanceClock(milliseconds)).then(() => {
      isMoving.value = false;
    });
  };
  const due = current.nextDueAt == null ? null : Date.parse(current.nextDueAt) - now.value;
  return (
    <div class="clock virtual" role="group" aria-label="Virtual clock">
      <time dateTime={time} title={`Virtual time: ${time}`}>
        <span class="date">{time.slice(0, 10)}</span> <b>{time.slice(11, 19)}</b>
      </time>
      {STEPS.map(([label, milliseconds]) => (
        <button
          type="button"
          key={label}
          disabled={isMoving.value}
          onClick={() => advance(milliseconds)}
        >
          {label}
        </button>
      ))}
      <button
        type="button"
        disabled={isMoving.value || due === null}
        title={due === null ? 'Nothing is scheduled' : `Advance by ${duration(due)}`}
        onClick={() => advance(Math.max(1, due ?? 1))}
      >
        To next due
      </button>
    </div>
  );
}
