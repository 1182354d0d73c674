import type { CheckContext } from '../../../check-kit/check.ts';
import { once } from '../../../check-kit/once.ts';
import type { ControlledRun } from '../../../clients/control-client.ts';
import type { Waited } from '../../../driver/wait-strategy.ts';
import { ACCEPTED } from '../../../listener/delivery.ts';
import { about } from '../arrivals.ts';
import { controlOf, endScene, openScene, settle } from './scene.ts';
import type { OpenScene, Scene, Settled } from './scene.ts';

/** One endpoint of several, and two runs of its tenant. */
export interface Neighbor {
  readonly scene: Scene;
  readonly tenantId: string | null;
  /** Created before the change. */
  readonly before: ControlledRun;
  /** Created after the change. */
  readonly after: ControlledRun;
  /** What was done to the endpoint between the two. */
  readonly change: Settled<void>;
}

type Fate = 'remains' | 'disabled' | 'deleted';

/** Endpoints that are opened one by one. */
export type Neighbors = Readonly<Record<Fate, readonly Neighbor[]>>;

/** The silent ones first, so that the later events of the others end the window. */
const FATES: readonly Fate[] = ['disabled', 'deleted', 'remains', 'remains'];

/** Shared by the checks of which endpoint hears what. */
export const neighborsOf: (context: CheckContext) => Promise<Neighbors> = once(observeNeighbors);

async function observeNeighbors(context: CheckContext): Promise<Neighbors> {
  const actors: Actor[] = [];
  try {
    await Promise.all(FATES.map(async (fate) => actors.push(await Actor.open(context, fate))));
    const ordered = actors.toSorted(
      (one, other) => FATES.indexOf(one.fate) - FATES.indexOf(other.fate),
    );
    await Promise.all(actors.map((actor) => actor.createRun()));
    await wait(actors, () => actors.every((actor) => actor.hasHeard()));
    await Promise.all(actors.map((actor) => actor.meetFate()));
    for (const actor of ordered) await actor.createRun();
    const remaining = actors.filter(({ fate }) => fate === 'remains');
    const waited = await wait(remaining, () => remaining.every((actor) => actor.hasHeard()));
    await settle(controlOf(context)?.waitForIdle() ?? Promise.resolve(true));
    const ended = await Promise.all(
      actors.map(async (actor) => [actor.fate, await actor.end(context, waited)] as const),
    );
    const of = (wanted: Fate): Neighbor[] =>
      ended.flatMap(([fate, neighbor]) => (fate === wanted ? [neighbor] : []));
    return { remains: of('remains'), disabled: of('disabled'), deleted: of('deleted') };
  } finally {
    await Promise.all(actors.map(({ opened }) => opened.driven.close()));
  }
}

async function wait([first]: readonly Actor[], condition: () => boolean): Promise<Waited> {
  if (first === undefined) throw new TypeError('an endpoint expected');
  return first.opened.driven.wait(condition);
}

/** An endpoint during the scene. */
class Actor {
  readonly fate: Fate;
  readonly opened: OpenScene;
  readonly #runs: ControlledRun[] = [];
  #change: Settled<void> = [undefined];

  static async open(context: CheckContext, fate: Fate): Promise<Actor> {
    return new Actor(fate, await openScene(context.sender, () => ACCEPTED));
  }

  private constructor(fate: Fate, opened: OpenScene) {
    this.fate = fate;
    this.opened = opened;
  }

  /** Creates a run, and changes its status where that is possible. */
  async createRun(): Promise<void> {
    const { driven } = this.opened;
    const run = await driven.createRun();
    this.#runs.push(run);
    await settle(driven.move(run, 'running', 'cancelled'));
  }

  /** Whether an event of the latest run has arrived. */
  hasHeard(): boolean {
    const latest = this.#runs.at(-1);
    const { deliveries } = this.opened.driven.listener;
    return latest !== undefined && about(deliveries, latest).length > 0;
  }

  async meetFate(): Promise<void> {
    const { driven } = this.opened;
    if (this.fate === 'disabled') this.#change = await settle(driven.disable());
    if (this.fate === 'deleted') this.#change = await settle(driven.remove());
  }

  async end(context: CheckContext, waited: Waited): Promise<Neighbor> {
    const [before, after] = this.#runs;
    if (before === undefined || after === undefined) throw new TypeError('two runs expected');
    const scene = await endScene(context, this.opened, waited);
    const { tenantId } = this.opened.driven;
    return { scene, tenantId, before, after, change: this.#change };
  }
}
