import { createProcessor } from '@hookproof/receiver';
import type { HandlingContext, SettledRun } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { resolveTimeline } from '@hookproof/receiver/order';
import type { RunEdge, Timeline } from '@hookproof/receiver/order';
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

/** How many events are accepted before the receiver works again. */
const BATCHES = fc.array(fc.constantFrom(1, 1, 2, 5, 100), { minLength: 1, maxLength: 6 });

function plans(edges: fc.Arbitrary<readonly RunEdge[]>): fc.Arbitrary<Plan> {
  const call = fc.record({
    fails: fc.nat(5).map((one) => one === 0),
    accepts: fc.constantFrom(0, 0, 0, 1, 2),
  });
  return fc.record({
    edges,
    batches: BATCHES,
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
  const kinds = [
    ['', 14, false, runs],
    [' that are long', 150, false, Math.ceil(runs / 20)],
    [' with contradictions', 14, true, runs],
  ] as const;
  describe.each(shapes)('for runs with %s', (_, shape) => {
    it.each(kinds)(
      '%s handlers get what all events show',
      async (_name, maxMoves, odd, numRuns) => {
        const edges = randomArrivals({ ...shape, maxMoves }, odd);
        await fc.assert(
          fc.asyncProperty(plans(edges), fc.constantFrom('live', 'ordered'), handleAndCompare),
          { numRuns },
        );
      },
    );

    it.each(kinds)(
      '%s an event waits as long as its grace',
      async (_name, maxMoves, odd, numRuns) => {
        const edges = randomArrivals({ ...shape, maxMoves }, odd);
        const pauses = fc.array(fc.constantFrom(0, 400, 1_000, 60_000), { minLength: 1 });
        await fc.assert(fc.asyncProperty(edges, BATCHES, pauses, waitAndCompare), { numRuns });
      },
    );
  });
}

const GRACES = { gap: 60_000, 'round-trip': 1_000, nothing: 0 } as const;

/** Works again and again while time passes: each event is handled when its grace is over, and not before. */
async function waitAndCompare(
  edges: readonly RunEdge[],
  batches: readonly number[],
  pauses: readonly number[],
): Promise<void> {
  const model = new RunModel();
  const clock = virtualClock();
  const acceptedAt = new Map<string, number>();
  const endOfGrace = (id: string): number => (acceptedAt.get(id) ?? 0) + GRACES[model.waitsFor(id)];
  const early: string[] = [];
  const late: string[] = [];
  const processor = createProcessor({
    mode: 'ordered',
    gapGraceMilliseconds: GRACES.gap,
    roundTripGraceMilliseconds: GRACES['round-trip'],
    store: memoryStore(),
    clock,
    handlers: {
      event: ({ id }) => {
        if (id !== model.next('ordered') || endOfGrace(id) > clock.now()) early.push(id);
        model.close(id, 'handled', false);
      },
    },
  });
  await processor.start({ work: false });
  let accepted = 0;
  for (let batch = 0; accepted < edges.length; batch += 1) {
    for (const edge of edges.slice(accepted, accepted + at(batches, batch))) {
      accepted += 1;
      model.accept(edge);
      acceptedAt.set(edge.id, clock.now());
      await processor.process({ id: edge.id, body: bodyOf(edge), timestamp: 1 });
    }
    await processor.work();
    const next = model.next('ordered');
    if (next !== null && endOfGrace(next) <= clock.now()) late.push(next);
    await clock.advance(at(pauses, batch));
  }
  await processor.close();
  expect({ early, late }).toEqual({ early: [], late: [] });
}

/** What the handlers of one event got. */
interface Told extends Pick<HandlingContext, 'order' | 'missing'> {
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
    retryForHours: 0,
    onError: () => {},
    store: memoryStore(),
    clock: virtualClock(),
    handlers: {
      event: async ({ id }, { order, missing }) => {
        const { fails, accepts } = at(plan.calls, told.length);
        told.push({ id, order, missing, provenBy: null });
        const next = model.next(mode) ?? 'none';
        const known = model.toldOf(next);
        expected.push(fails ? { ...known, provenBy: null } : known);
        model.close(next, fails ? 'dead' : 'handled', known.provenBy !== null && !fails);
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
  readonly #states = new Map<string, 'open' | 'handled' | 'dead'>();
  #isSettled = false;

  accept(edge: RunEdge): void {
    this.#edges.push(edge);
    this.#states.set(edge.id, 'open');
  }

  close(id: string, as: 'handled' | 'dead', isRunSettled: boolean): void {
    this.#states.set(id, as);
    this.#isSettled ||= isRunSettled;
  }

  /** Redrives or discards all dead letters. */
  decide(decision: Plan['decisions'][number]): void {
    const states = { redrive: 'open', discard: 'handled', nothing: 'dead' } as const;
    for (const [id, state] of this.#states) {
      if (state === 'dead') this.#states.set(id, states[decision]);
    }
  }

  /** Returns the event to handle next: in live mode the first that was accepted. */
  next(mode: 'live' | 'ordered'): string | null {
    const { steps, impossible } = resolveTimeline(this.#edges);
    const edges = mode === 'live' ? this.#edges : [...steps, ...impossible];
    return edges.find(({ id }) => this.#states.get(id) === 'open')?.id ?? null;
  }

  /** Returns what the first open event of the run waits for. */
  waitsFor(id: string): keyof typeof GRACES {
    const { steps, gaps } = resolveTimeline(this.#edges);
    const place = steps.findIndex((step) => step.id === id);
    if (gaps.some(({ index }) => index === place)) return 'gap';
    if (place < 0 || steps[place]?.previousStatus === null) return 'nothing';
    const isNewest = steps.slice(place).every((step) => this.#states.get(step.id) === 'open');
    return isNewest ? 'round-trip' : 'nothing';
  }

  toldOf(id: string): Told {
    const timeline = resolveTimeline(this.#edges);
    const place = timeline.steps.findIndex((step) => step.id === id);
    const before = timeline.gaps.filter(({ index }) => place < 0 || index <= place);
    const isUnproven = place < 0 || before.length > 0 || !this.#isInTurn(timeline, place);
    return {
      id,
      order: isUnproven ? 'unproven' : orderAt(timeline, place),
      missing: before.map((gap) => ({ after: gap.after, before: gap.before })),
      provenBy: this.#isEndedBy(timeline, id) ? proofOfEnd(timeline) : null,
    };
  }

  /** All steps before it are handled, and none after it is. */
  #isInTurn({ steps }: Timeline, place: number): boolean {
    return steps.every(
      ({ id }, other) => other === place || (this.#states.get(id) === 'handled') === other < place,
    );
  }

  #isEndedBy({ steps, isTerminal }: Timeline, last: string): boolean {
    const isDone = steps.every(({ id }) => id === last || this.#states.get(id) === 'handled');
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
