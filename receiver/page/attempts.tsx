import type { StoredEvent } from '@hookproof/receiver';
import type { JSX } from 'preact';

import { Age, counted, Error } from './values.tsx';

type Attempted = Pick<StoredEvent, 'attempts' | 'crashes' | 'failures'>;

/**
 * How often an event was tried, and when each of the newest attempts failed, with what and after
 * how long.
 */
export function Attempts({
  of,
  noun,
}: {
  readonly of: Attempted;
  /** Follows their number where no column has the word. */
  readonly noun?: string;
}): JSX.Element {
  const { attempts, crashes, failures } = of;
  const ends = crashes > 0 ? [counted(crashes, 'end')] : [];
  const number = noun === undefined ? String(attempts) : counted(attempts, noun);
  const tried = attempts > 0 || crashes === 0 ? [number] : [];
  const text = [...tried, ...ends].join(', ');
  if (failures.length === 0) {
    return <span title="Failed attempts, and ends of the process">{text}</span>;
  }
  return (
    <details class="attempts">
      <summary title="Failed attempts, and ends of the process">{text}</summary>
      <ol>
        {failures.map(({ at, handler, error, milliseconds }) => (
          <li key={at}>
            <span class="quiet">
              <Age at={at} /> ago{handler !== null && `, ${handler}`}, after{' '}
              {milliseconds.toLocaleString('en')} ms
            </span>
            <Error text={error} />
          </li>
        ))}
      </ol>
    </details>
  );
}
