import { isTerminal, runOf } from '../listener/delivery.ts';
import type { ReceivedDelivery } from '../listener/delivery.ts';

type Arriving = Omit<ReceivedDelivery, 'response'>;

/** More than an ordinary event has. */
const LARGE_BYTES = 8 * 1024;

/** A kind of event that a sender may treat differently by mistake. */
export type EventKind =
  'workflow-change' | 'terminal-change' | 'agent-creation' | 'agent-change' | 'large-event';

const KINDS: Readonly<Record<EventKind, (delivery: Arriving) => boolean>> = {
  'workflow-change': (delivery) =>
    isChange(delivery) && typeOf(delivery) === 'workflow' && !isEnd(delivery),
  'terminal-change': (delivery) => isChange(delivery) && isEnd(delivery),
  'agent-creation': (delivery) => !isChange(delivery) && typeOf(delivery) === 'agent',
  'agent-change': (delivery) => isChange(delivery) && typeOf(delivery) === 'agent',
  'large-event': ({ body }) => body.length >= LARGE_BYTES,
};

/** Whether a delivery is of a kind. It can be of several. */
export function isOfKind(kind: EventKind, delivery: Arriving): boolean {
  return delivery.event['test'] !== true && KINDS[kind](delivery);
}

/** The kinds that have been seen, for a script that treats the first event of each kind differently. */
export class SeenKinds {
  readonly #waiting: Set<EventKind>;

  constructor(...kinds: readonly EventKind[]) {
    this.#waiting = new Set(kinds);
  }

  /** Whether a delivery is the first of a kind. */
  isFirst(delivery: Arriving): boolean {
    const found = [...this.#waiting].filter((kind) => isOfKind(kind, delivery));
    for (const kind of found) this.#waiting.delete(kind);
    return found.length > 0;
  }
}

function isChange({ event }: Arriving): boolean {
  return event['type'] === 'run.status_changed';
}

function typeOf({ event }: Arriving): unknown {
  return runOf(event)['type'];
}

function isEnd({ event }: Arriving): boolean {
  return isTerminal(runOf(event)['status']);
}
