import type { JSX } from 'preact';

import { stopAll } from '../control/faults.ts';
import { attempt } from '../parts/notice.tsx';
import { armedCount } from '../rows/faults.ts';

/** Removes all faults and limits. Shown on every page while one applies. */
export function StopAll(): JSX.Element | null {
  const count = armedCount.value;
  if (count === 0) return null;
  return (
    <button
      type="button"
      class="danger stop-all"
      title="Remove all faults and limits"
      onClick={() => void attempt(stopAll, 'All faults and limits are removed.')}
    >
      Stop <span>all faults</span> {`(${count})`}
    </button>
  );
}
