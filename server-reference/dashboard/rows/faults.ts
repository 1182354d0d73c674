import type { ApiFault, DeliveryFault, Limits } from '@hookproof/spec/control';
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';

import { getLimits, listApiFaults, listDeliveryFaults } from '../control/faults.ts';
import { followers } from '../live/follow.ts';
import type { StreamRow } from '../live/follow.ts';

/** Everything that was injected. */
export interface Injected {
  readonly delivery: readonly DeliveryFault[];
  readonly api: readonly ApiFault[];
  readonly limits: Limits;
}

/** What is injected now; null until it is known. Every page shows it, so it is followed once. */
export const injected: Signal<Injected | null> = signal(null);

/** How many faults and limits apply now. */
export const armedCount: ReadonlySignal<number> = computed(() => {
  if (injected.value === null) return 0;
  const { delivery, api, limits } = injected.value;
  const faults = [...delivery, ...api].filter(({ armed }) => armed).length;
  const accounting = limits.accounting === 'unavailable' ? 1 : 0;
  return faults + accounting + (limits.rateLimit === null ? 0 : 1);
});

/** Rows within this time cost one request. */
const GATHER_MILLISECONDS = 100;

/** Follows faults and limits. */
export function startFaults(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  followers.add({
    reload: readInjected,
    apply(row) {
      if (!concerns(row)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void readInjected();
      }, GATHER_MILLISECONDS);
    },
  });
}

function concerns({ event, data }: StreamRow): boolean {
  if (event === 'removed') return data.kind === 'api-fault' || data.kind === 'delivery-fault';
  return event === 'api-fault' || event === 'delivery-fault' || event === 'limits';
}

async function readInjected(): Promise<void> {
  try {
    const [delivery, api, limits] = await Promise.all([
      listDeliveryFaults(),
      listApiFaults(),
      getLimits(),
    ]);
    injected.value = { delivery: delivery.data, api: api.data, limits };
  } catch {
    // The connection shows that the server does not respond; its next `ready` reads again.
  }
}
