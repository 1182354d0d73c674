import type { RunEdge } from '@hookproof/receiver/order';
import * as fc from 'fast-check';

/** The status changes that a run can make. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  created: ['pending', 'cancelled', 'rejected'],
  pending: ['running', 'cancelled', 'rejected'],
  running: ['waiting', 'waiting', 'finalizing', 'completed', 'failed', 'cancelled'],
  waiting: ['running', 'running', 'running', 'cancelled'],
  finalizing: ['completed', 'failed', 'cancelled'],
};

/** Builds edges from `status@seconds` words; the first one is the creation. */
export function runEdges(words: string): RunEdge[] {
  let previousStatus: string | null = null;
  return words.split(' ').map((word, index) => {
    const [currentStatus = '', time = ''] = word.split('@');
    const createdAt = new Date(Number(time) * 1000).toISOString();
    const edge = { id: `whev_${index}`, previousStatus, currentStatus, createdAt };
    previousStatus = currentStatus;
    return edge;
  });
}

/** Builds moves from `from>to@milliseconds` words; `>to` is the creation. */
export function movesOf(words: string): RunEdge[] {
  return words.split(' ').map((word, index) => {
    const [, from = '', currentStatus = '', time] = /(\w*)>(\w+)@([\d.]+)/.exec(word) ?? [];
    const previousStatus = from === '' ? null : from;
    const [whole = '0', digits = ''] = (time ?? '').split('.');
    const second = new Date(Number(whole)).toISOString().slice(0, -1);
    return { id: String(index), previousStatus, currentStatus, createdAt: `${second}${digits}Z` };
  });
}

interface RandomRun {
  /** The complete history. */
  readonly edges: readonly RunEdge[];
  /** The part of the history that arrived, in order. */
  readonly known: readonly RunEdge[];
  /** The same part in a random order of arrival. */
  readonly shuffled: readonly RunEdge[];
}

interface RunShape {
  /** Milliseconds between two moves, one of which is chosen for each. */
  readonly waits: readonly number[];
  /** How far a clock may be off, in milliseconds. */
  readonly clockError?: number;
  readonly maxMoves?: number;
}

/** Random runs with cycles, missing events and ids in random order. */
export function randomRun({
  waits,
  clockError = 0,
  maxMoves = 12,
}: RunShape): fc.Arbitrary<RandomRun> {
  const step = fc.record({
    choice: fc.nat(59),
    wait: fc.constantFrom(...waits),
    error: fc.integer({ min: -clockError, max: clockError }),
    isLost: fc.nat(5),
  });
  return fc
    .record({
      isAgent: fc.boolean(),
      moves: fc.array(step, { minLength: 1, maxLength: maxMoves }),
      isWhole: fc.boolean(),
      seed: fc.nat(),
    })
    .map(({ isAgent, moves, isWhole, seed }) => {
      const edges: RunEdge[] = [];
      const known: RunEdge[] = [];
      let status: string | null = null;
      let time = 1_000_000;
      for (const { choice, wait, error, isLost } of moves) {
        const choices: readonly string[] =
          status === null ? [isAgent ? 'created' : 'pending'] : (NEXT[status] ?? []);
        const next = choices[choice % choices.length];
        if (next === undefined) break;
        time += wait;
        const id = `whev_${(edges.length * 7 + seed) % 13}_${edges.length}`;
        const createdAt = new Date(time + error).toISOString();
        const edge: RunEdge = { id, previousStatus: status, currentStatus: next, createdAt };
        edges.push(edge);
        if (isWhole || isLost > 0) known.push(edge);
        status = next;
      }
      return { edges, known, shuffled: shuffle(known, seed) };
    });
}

export function shuffle(edges: readonly RunEdge[], seed: number): RunEdge[] {
  const shuffled = [...edges];
  let state = seed;
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const other = state % (index + 1);
    const edge = shuffled[index];
    const moved = shuffled[other];
    if (edge === undefined || moved === undefined) continue;
    shuffled[index] = moved;
    shuffled[other] = edge;
  }
  return shuffled;
}

const CONTRADICTORY = ['created', 'pending', 'running', 'waiting', 'completed', 'failed'];

/** What arrives of a run, in the order of arrival. With `contradictions`, some events fit no run. */
export function randomArrivals(
  shape: RunShape,
  contradictions: boolean,
): fc.Arbitrary<readonly RunEdge[]> {
  const contradiction = fc.record({
    after: fc.nat(20),
    from: fc.option(fc.constantFrom(...CONTRADICTORY), { freq: 4 }),
    to: fc.constantFrom(...CONTRADICTORY),
    time: fc.integer({ min: -2_000, max: 4_000 }),
  });
  return fc
    .record({
      run: randomRun(shape),
      arrival: fc.constantFrom('in order', 'reversed', 'shuffled', 'last first', 'first last'),
      others: fc.array(contradiction, { maxLength: contradictions ? 4 : 0 }),
    })
    .map(({ run: { known, shuffled }, arrival, others }) => {
      const edges = inOrderOf(arrival, known, shuffled);
      for (const [index, { after, from, to, time }] of others.entries()) {
        const createdAt = new Date(1_000_000 + time).toISOString();
        const edge = { id: `whev_x${index}`, previousStatus: from, currentStatus: to, createdAt };
        edges.splice(after, 0, edge);
      }
      return edges;
    });
}

function inOrderOf(
  arrival: string,
  known: readonly RunEdge[],
  shuffled: readonly RunEdge[],
): RunEdge[] {
  if (arrival === 'in order') return [...known];
  if (arrival === 'reversed') return known.toReversed();
  if (arrival === 'last first') return [...known.slice(-1), ...known.slice(0, -1)];
  if (arrival === 'first last') return [...known.slice(1), ...known.slice(0, 1)];
  return [...shuffled];
}
