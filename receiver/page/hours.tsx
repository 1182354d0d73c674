import { useEffect, useState } from 'preact/hooks';
import type { HourCounts } from '@hookproof/receiver';
import type { JSX } from 'preact';

import { read } from './call.ts';
import { failure } from './state.ts';

/** What was handled and what failed in each hour of the last day. It is read once, when the page is opened. */
export function Hours(): JSX.Element | null {
  const [hours, setHours] = useState<readonly HourCounts[] | null>(null);
  useEffect(() => {
    read('hours').then(setHours, (error: unknown) => {
      failure.value = error instanceof Error ? error.message : String(error);
    });
  }, []);
  if (hours === null) return <section class="hours" aria-label="The last 24 hours" />;
  const most = Math.max(1, ...hours.map(({ handled, failed }) => Math.max(handled, failed)));
  const sum = (what: 'handled' | 'failed'): string =>
    hours.reduce((all, hour) => all + hour[what], 0).toLocaleString('en');
  return (
    <section class="hours" aria-label="The last 24 hours">
      <p>
        <span class="quiet">Last 24 hours</span>
        <span title="Events that were handled or discarded, of the newest 100,000">
          <i class="key handled" /> {sum('handled')} handled
        </span>
        <span title="Attempts that failed, of the newest 100,000 events">
          <i class="key failed" /> {sum('failed')} failed attempts
        </span>
      </p>
      <ol>
        {hours.map((hour) => (
          <li key={hour.at} title={titleOf(hour)} aria-label={titleOf(hour)}>
            <i class="handled" style={{ height: heightOf(hour.handled, most) }} />
            <i class="failed" style={{ height: heightOf(hour.failed, most) }} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function titleOf({ at, handled, failed }: HourCounts): string {
  const time = new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return `From ${time}: ${handled.toLocaleString('en')} handled, ${failed.toLocaleString('en')} failed`;
}

/** One event is seen beside ten thousand. */
function heightOf(count: number, most: number): string {
  return count === 0 ? '0' : `max(2px, ${((100 * count) / most).toFixed(1)}%)`;
}
