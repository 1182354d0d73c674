import type {
  ApiFault,
  DeliveryFault,
  DeliveryRow,
  Limits,
  StreamEvent,
  Clock,
} from '@hookproof/spec/control';
import type { ControlClient } from './control-client.ts';

interface Entry {
  readonly id: string;
}

/** The lists, and what a row of the stream does not contain of their entries. */
const LISTS = {
  world: ['/worlds', []],
  key: ['/keys', ['key']],
  endpoint: ['/webhook-endpoints', ['secret', 'headers', 'recent']],
  run: ['/runs', []],
  event: ['/events', ['payload']],
  request: ['/requests', []],
} as const;

type Plain = keyof typeof LISTS;
type Kind = Plain | 'delivery' | 'api-fault' | 'delivery-fault';
const KINDS: readonly Kind[] = [
  ...(Object.keys(LISTS) as Plain[]),
  'delivery',
  'api-fault',
  'delivery-fault',
];

/** What a program knows that reads the lists once and then follows the stream. */
export class Replica {
  readonly entries = new Map<Kind, Map<string, object>>();
  /** Per delivery and number: the status. */
  readonly attempts = new Map<string, number | null>();
  limits: Limits | undefined;
  clock: Pick<Clock, 'mode' | 'now'> | undefined;

  /** Reads all lists. */
  static async read(control: ControlClient): Promise<Replica> {
    const replica = new Replica();
    for (const kind of KINDS) {
      replica.entries.set(kind, new Map());
      for (const entry of await entriesOf(control, kind)) replica.#of(kind).set(entry.id, entry);
    }
    for (const { id, attempts } of await control.deliveries()) {
      for (const { number, status } of attempts) replica.attempts.set(`${id} ${number}`, status);
    }
    replica.limits = await control.expectOk<Limits>(200, '/limits');
    const { mode, now } = await control.expectOk<Clock>(200, '/clock');
    replica.clock = { mode, now };
    return replica;
  }

  /** Applies a row of the stream. A row that the lists already contained changes nothing in the end. */
  apply(row: StreamEvent): void {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all others have an entry of a list
    switch (row.event) {
      case 'ready':
      case 'reset':
        return;
      case 'attempt':
        this.attempts.set(`${row.data.deliveryId} ${row.data.number}`, row.data.status);
        return;
      case 'limits':
        this.limits = row.data;
        return;
      case 'clock':
        this.clock = { mode: row.data.mode, now: row.data.now };
        return;
      case 'removed':
        this.#remove(row.data.kind, row.data.id);
        return;
      case 'api-fault':
      case 'delivery-fault':
        this.#applyFault(row.event, row.data);
        return;
      default:
        this.#of(row.event).set(row.data.id, row.data);
    }
  }

  #of(kind: Kind): Map<string, object> {
    return this.entries.get(kind) ?? new Map();
  }

  #remove(kind: Kind, id: string): void {
    this.#of(kind).delete(id);
    if (kind === 'endpoint') {
      for (const [delivery, row] of this.#of('delivery') as Map<string, DeliveryRow>) {
        if (row.endpointId === id) this.#of('delivery').set(delivery, { ...row, url: null });
      }
    }
    if (kind !== 'delivery') return;
    for (const key of this.attempts.keys()) {
      if (key.startsWith(`${id} `)) this.attempts.delete(key);
    }
  }

  #applyFault(
    kind: 'api-fault' | 'delivery-fault',
    { fault, hit }: { fault: Entry & { hits: number; matched?: number }; hit: object | null },
  ): void {
    const faults = this.#of(kind) as Map<string, ApiFault | DeliveryFault>;
    const known = faults.get(fault.id);
    if (known !== undefined && progressOf(known) > progressOf(fault)) return;
    const before = known?.recentHits ?? [];
    const isNew = hit !== null && fault.hits > (known?.hits ?? 0);
    const recentHits = isNew ? [...before, hit].slice(-100) : before;
    this.#of(kind).set(fault.id, { ...fault, recentHits });
  }
}

function progressOf({ hits, matched = hits }: { hits: number; matched?: number }): number {
  return matched;
}

async function entriesOf(control: ControlClient, kind: Kind): Promise<readonly Entry[]> {
  const read = async <T>(path: string): Promise<T[]> =>
    (await control.expectOk<{ data: T[] }>(200, path)).data;
  if (kind === 'delivery') return read<DeliveryRow>('/delivery-rows');
  if (kind === 'delivery-fault') return read<DeliveryFault>('/delivery-faults');
  if (kind === 'api-fault') {
    return (await read<ApiFault>('/api-faults')).map(({ match, ...fault }) => {
      const { key: _secret, ...shown } = match;
      return Object.assign(fault, { match: shown });
    });
  }
  const [path, hidden] = LISTS[kind];
  const isShown = ([name]: readonly [string, unknown]): boolean =>
    !hidden.some((one) => one === name);
  return (await read<Entry>(path)).map(
    (entry) => Object.fromEntries(Object.entries(entry).filter(isShown)) as unknown as Entry,
  );
}
