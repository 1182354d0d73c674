import { createProcessor } from '@hookproof/receiver';
import type { HandlingContext, SettledRun } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { createTimelineResolver, resolveTimeline } from '@hookproof/receiver/order';
import type { Arrival, RunEdge, Timeline } from '@hookproof/receiver/order';
import { runTimeline } from '@hookproof/receiver/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { randomArrivals } from '../order/random-run.ts';
import { virtualClock } from '../virtual-clock.ts';

const shapes = [
  ['correct clocks', { waits: [0, 0, 1_000, 20_000] }],
  ['clocks that differ', { waits: [0, 5, 40, 120, 2_000], clockError: 60 }],
] as const;

/** What a test does with each event of a run in turn: how it is accepted, and what its handler does. */
interface Plan {
  readonly edges: readonly RunEdge[];
  /** By place: how many events are accepted before the receiver works. */
  readonly batches: readonly number[];
  /** By call: whether the handler throws, and how many events are accepted meanwhile. */
  readonly calls: readonly { readonly fails: boolean; readonly accepts: number }[];
  /** By batch: what a person does with all dead letters before it. */
  readonly decisions: readonly ('redrive' | 'discard' | 'nothing')[];
}

function plans(edges: fc.Arbitrary<readonly RunEdge[]>): fc.Arbitrary<Plan> {
  const call = fc.record({
    fails: fc.nat(5).map((one) => one === 0),
    accepts: fc.constantFrom(0, 0, 0, 1, 2),
  });
  return fc.record({
    edges,
    batches: fc.array(fc.constantFrom(1, 1, 2, 5, 100), { minLength: 1, maxLength: 6 }),
    calls: fc.array(call, { minLength: 1, maxLength: 20 }),
    decisions: fc.array(fc.constantFrom('redrive', 'discard', 'nothing', 'nothing', 'nothing'), {
      minLength: 1,
      maxLength: 6,
    }),
  });
}

/**
 * Defines the tests of what handlers get, compared with a model that resolves all accepted events for each call.
 *
 * @param runs - how many runs are drawn for each test
 */
export function runLaws(runs: number): void {
  describe.each(shapes)('for runs with %s', (_, shape) => {
    it.each([
      ['', 14, false, runs],
      [' that are long', 150, false, Math.ceil(runs / 20)],
      [' with contradictions', 14, true, runs],
    ] as const)('%s handlers get what all events show', async (_name, maxMoves, odd, numRuns) => {
      const edges = randomArrivals({ ...shape, maxMoves }, odd);
      await fc.assert(
        fc.asyncProperty(plans(edges), fc.constantFrom('live', 'ordered'), handleAndCompare),
        { numRuns },
      );
    });
  });
}

/** What the handlers of one event got. */
interface Told extends Pick<HandlingContext, 'arrival' | 'order' | 'missing'> {
  readonly id: string;
  /** Of the settled run, if the handler of settled runs was called. */
  readonly provenBy: SettledRun['provenBy'] | null;
}

async function handleAndCompare(plan: Plan, mode: 'live' | 'ordered'): Promise<void> {
  const model = new RunModel();
  const told: Told[] = [];
  const expected: Told[] = [];
  let accepted = 0;
  const accept = async (count: number): Promise<void> => {
    const edges = plan.edges.slice(accepted, accepted + count);
    accepted += edges.length;
    for (const edge of edges) {
      model.accept(edge);
      await processor.process({ id: edge.id, body: bodyOf(edge), timestamp: 1 });
    }
  };
  const processor = createProcessor({
    mode,
    gapGraceMilliseconds: 0,
    roundTripGraceMilliseconds: 0,
    maxAttempts: 1,
    onError: () => {},
    store: memoryStore(),
    clock: virtualClock(),
    handlers: {
      event: async ({ id }, { arrival, order, missing }) => {
        const { fails, accepts } = at(plan.calls, told.length);
        told.push({ id, arrival, order, missing, provenBy: null });
        // Of many waiting events a receiver in live mode reads some first.
        const isAnyFirst = mode === 'live' && plan.edges.length > 64;
        const next = isAnyFirst ? id : model.next(mode);
        const known = model.toldOf(next);
        expected.push(fails ? { ...known, provenBy: null } : known);
        model.close(next, fails ? 'dead' : 'settled', known.provenBy !== null && !fails);
        await accept(accepts);
        if (fails) throw new Error('The plan says so.');
      },
      settled: (run) => {
        Object.assign(told.at(-1) ?? {}, { provenBy: run.provenBy });
      },
    },
  });
  await processor.start({ work: false });
  for (let batch = 0; accepted < plan.edges.length; batch += 1) {
    const decision = at(plan.decisions, batch);
    model.decide(decision);
    if (decision !== 'nothing') await processor[decision]({});
    await accept(at(plan.batches, batch));
    await processor.work();
  }
  await processor.close();
  expect(told).toEqual(expected);
}

/** Returns an item of a list that repeats for ever. */
function at<Item>(items: readonly Item[], place: number): Item {
  return items[place % items.length]!;
}

const [created, changed] = runTimeline(['pending', 'running']);

function bodyOf({ id, previousStatus, currentStatus, createdAt }: RunEdge): Uint8Array {
  const event = previousStatus === null ? created : changed;
  const statuses = previousStatus === null ? {} : { previousStatus, currentStatus };
  const run = { ...event?.data.run, status: currentStatus };
  const data = { ...event?.data, ...statuses, run };
  return Buffer.from(JSON.stringify({ ...event, id, createdAt, data }));
}

/** The events of one run and what became of them. For each answer it resolves all of them. */
class RunModel {
  readonly #edges: RunEdge[] = [];
  readonly #states = new Map<string, 'open' | 'settled' | 'dead'>();
  readonly #arrivals = new Map<string, Arrival>();
  readonly #resolver = createTimelineResolver();
  #isSettled = false;

  accept(edge: RunEdge): void {
    this.#edges.push(edge);
    this.#states.set(edge.id, 'open');
    this.#arrivals.set(edge.id, this.#resolver.add(edge));
  }

  close(id: string, as: 'settled' | 'dead', isRunSettled: boolean): void {
    this.#states.set(id, as);
    this.#isSettled ||= isRunSettled;
  }

  /** Redrives or discards all dead letters. */
  decide(decision: Plan['decisions'][number]): void {
    const states = { redrive: 'open', discard: 'settled', nothing: 'dead' } as const;
    for (const [id, state] of this.#states) {
      if (state === 'dead') this.#states.set(id, states[decision]);
    }
  }

  /** Returns the event to handle next: in live mode the first that was accepted. */
  next(mode: 'live' | 'ordered'): string {
    const { steps, impossible } = resolveTimeline(this.#edges);
    const edges = mode === 'live' ? this.#edges : [...steps, ...impossible];
    return edges.find(({ id }) => this.#states.get(id) === 'open')?.id ?? 'none';
  }

  toldOf(id: string): Told {
    const timeline = resolveTimeline(this.#edges);
    const place = timeline.steps.findIndex((step) => step.id === id);
    const before = timeline.gaps.filter(({ index }) => place < 0 || index <= place);
    const isUnproven = place < 0 || before.length > 0 || !this.#isInTurn(timeline, place);
    return {
      id,
      arrival: this.#arrivals.get(id) ?? 'applied',
      order: isUnproven ? 'unproven' : orderAt(timeline, place),
      missing: before.map((gap) => ({ after: gap.after, before: gap.before })),
      provenBy: this.#isEndedBy(timeline, id) ? proofOfEnd(timeline) : null,
    };
  }

  /** All steps before it are handled, and none after it is. */
  #isInTurn({ steps }: Timeline, place: number): boolean {
    return steps.every(
      ({ id }, other) => other === place || (this.#states.get(id) === 'settled') === other < place,
    );
  }

  #isEndedBy({ steps, isTerminal }: Timeline, last: string): boolean {
    const isDone = steps.every(({ id }) => id === last || this.#states.get(id) === 'settled');
    return isTerminal && isDone && !this.#isSettled;
  }
}

function orderAt({ steps, impossible, isAmbiguous }: Timeline, place: number): Told['order'] {
  const creations = [...steps, ...impossible].filter((edge) => edge.previousStatus === null);
  if (place === 0 && creations.length === 1) return 'proven';
  return isAmbiguous ? 'unproven' : 'assumed';
}

function proofOfEnd({ steps, impossible, isUnbroken }: Timeline): SettledRun['provenBy'] | null {
  if (!isUnbroken) return null;
  return steps.length + impossible.length === 1 ? 'events' : 'events-as-known';
}
