import type { RunEdge } from '@hookproof/receiver/order';

/** A run whose history the generator knows. */
export interface GeneratedRun {
  /** The events that arrived, in the order in which they happened. */
  readonly history: readonly RunEdge[];
  /** The same events in order of arrival. */
  readonly arrived: readonly RunEdge[];
  readonly isWhole: boolean;
}

/** Returns a number from 0 up to 1 without it. */
export type Random = () => number;

/** Returns the same numbers for the same seed (xorshift32). */
export function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

const TERMINAL: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'rejected']);
/** The transitions of the reference server, round trips more often. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  created: ['pending', 'pending', 'cancelled'],
  pending: ['running', 'running', 'running', 'cancelled', 'rejected'],
  running: ['waiting', 'waiting', 'finalizing', 'completed', 'failed'],
  waiting: ['running', 'running', 'running', 'cancelled'],
  finalizing: ['completed', 'completed', 'failed'],
};
/** The contract lists no transitions, so any is possible. */
const ALL = ['created', 'pending', 'running', 'waiting', 'finalizing', 'completed', 'failed'];
/** Milliseconds between two transitions. */
const WAITS = [
  [1_000, 5_000, 60_000],
  [0, 0, 0.01, 1, 30, 300, 3_000, 60_000],
  [0, 1, 10, 50, 100],
];
/** How far each of four clocks may be off, in milliseconds. */
const CLOCK_ERRORS = [0, 0, 10, 50];
const MAX_TRANSITIONS = 12;

/** Generates a run: usual or any transitions, slow or quick, equal or different clocks, whole or not. */
export function generateRun(random: Random): GeneratedRun {
  const pick = <Item>(items: readonly Item[], fallback: Item): Item =>
    items[Math.floor(random() * items.length)] ?? fallback;
  const waits = pick(WAITS, []);
  const clockError = pick(CLOCK_ERRORS, 0);
  const clocks = Array.from({ length: 4 }, () => Math.round((random() * 2 - 1) * clockError));
  const isWhole = random() < 0.7;
  const isAny = random() < 0.3;
  const history: RunEdge[] = [];
  let status: string | null = null;
  let time = 1_782_907_200_000 + Math.floor(random() * 1e9);
  for (let move = 0; move < MAX_TRANSITIONS; move += 1) {
    const next: string =
      status === null ? pick(['created', 'pending', 'pending'], 'pending') : step(status);
    time += pick(waits, 0) * (0.2 + random() * 1.6);
    const id = `whev_${Math.floor(random() * 1e9)}_${move}`;
    const createdAt = timestamp(time + pick(clocks, 0));
    if (isWhole || random() > 0.15) {
      history.push({ id, previousStatus: status, currentStatus: next, createdAt });
    }
    status = next;
    if (TERMINAL.has(next)) break;
  }
  return { history, arrived: shuffled(history, random), isWhole };

  function step(from: string): string {
    const choices = isAny ? ALL.filter((other) => other !== from) : (USUAL[from] ?? ALL);
    return pick(choices, 'failed');
  }
}

/** Writes milliseconds as ISO 8601 with six digits of the second. */
function timestamp(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  const micros = Math.floor((milliseconds - whole) * 1_000);
  return `${new Date(whole).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}

export function shuffled<Item>(items: readonly Item[], random: Random): readonly Item[] {
  const keys = new Map(items.map((item) => [item, random()] as const));
  return items.toSorted((left, right) => (keys.get(left) ?? 0) - (keys.get(right) ?? 0));
}
