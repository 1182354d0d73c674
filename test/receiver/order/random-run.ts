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

/** Builds edges from `status@milliseconds` words; the first one is the creation. */
export function runEdges(words: string): RunEdge[] {
  let previousStatus: string | null = null;
  return words.split(' ').map((word, index) => {
    const [currentStatus = '', time = ''] = word.split('@');
    const createdAt = new Date(Number(time)).toISOString();
    const edge = { id: `whev_${index}`, previousStatus, currentStatus, createdAt };
    previousStatus = currentStatus;
    return edge;
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

/** Random runs with cycles, equal times, missing events and ids in random order. */
export const randomRun: fc.Arbitrary<RandomRun> = fc
  .record({
    isAgent: fc.boolean(),
    steps: fc.array(fc.record({ choice: fc.nat(59), wait: fc.nat(2), isLost: fc.nat(5) }), {
      minLength: 1,
      maxLength: 12,
    }),
    isWhole: fc.boolean(),
    seed: fc.nat(),
  })
  .map(({ isAgent, steps, isWhole, seed }) => {
    const edges: RunEdge[] = [];
    const known: RunEdge[] = [];
    let status: string | null = null;
    let time = 0;
    for (const { choice, wait, isLost } of steps) {
      const choices: readonly string[] =
        status === null ? [isAgent ? 'created' : 'pending'] : (NEXT[status] ?? []);
      const next = choices[choice % choices.length];
      if (next === undefined) break;
      time += Math.max(0, wait - 1);
      const id = `whev_${(edges.length * 7 + seed) % 13}_${edges.length}`;
      const createdAt = new Date(time).toISOString();
      const edge: RunEdge = { id, previousStatus: status, currentStatus: next, createdAt };
      edges.push(edge);
      if (isWhole || isLost > 0) known.push(edge);
      status = next;
    }
    return { edges, known, shuffled: shuffle(known, seed) };
  });

function shuffle(edges: readonly RunEdge[], seed: number): RunEdge[] {
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

/** Returns the fewest gaps of all orders that respect `createdAt` and end in the terminal status. */
export function fewestGapsByTrying(
  edges: readonly RunEdge[],
  status: string | null = null,
): number {
  if (edges.length === 0) return 0;
  const first = edges.reduce((time, edge) => Math.min(time, timeOf(edge)), Infinity);
  const candidates = edges.filter(
    (edge) =>
      timeOf(edge) === first && (edges.length === 1 || NEXT[edge.currentStatus] !== undefined),
  );
  return Math.min(
    ...candidates.map(
      (edge) =>
        (edge.previousStatus === status ? 0 : 1) +
        fewestGapsByTrying(
          edges.filter((other) => other !== edge),
          edge.currentStatus,
        ),
    ),
  );
}

function timeOf(edge: RunEdge): number {
  return edge.previousStatus === null ? -1 : Date.parse(edge.createdAt);
}
