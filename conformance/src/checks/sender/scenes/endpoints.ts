import type { CheckContext } from '../../../check-kit/check.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import { once } from '../../../check-kit/once.ts';
import type { ControlledRun } from '../../../clients/control-client.ts';
import type { Waited } from '../../../driver/wait-strategy.ts';
import { ACCEPTED } from '../../../listener/delivery.ts';
import { about } from '../arrivals.ts';
import { endScene, openScene, settle } from './scene.ts';
import type { OpenScene, Scene, Settled } from './scene.ts';

/** One endpoint of several, and two runs of its tenant. */
export interface ObservedEndpoint {
  readonly scene: Scene;
  readonly tenantId: string | null;
  /** Created before the change. */
  readonly before: ControlledRun;
  /** Created after the change. */
  readonly after: ControlledRun;
  /** What was done to the endpoint between the two. */
  readonly change: Settled<void>;
}

/** What happens to an endpoint between its two runs. */
type EndpointChange = 'unchanged' | 'disabled' | 'deleted';

/** Endpoints that are opened one by one. */
type ObservedEndpoints = Readonly<Record<EndpointChange, readonly ObservedEndpoint[]>>;

/** Those that receive nothing later come first, so that the later events of the others end the window. */
const CHANGES: readonly EndpointChange[] = ['disabled', 'deleted', 'unchanged', 'unchanged'];

/** The URL of the last one has it, as many addresses of functions do. */
const QUERY = '?code=a%20b%2Bc&code=2';

/** Shared by the checks of which endpoint receives which events. */
export const endpointsOf: (context: CheckContext) => Promise<ObservedEndpoints> =
  once(observeEndpoints);

async function observeEndpoints(context: CheckContext): Promise<ObservedEndpoints> {
  const opened: OpenEndpoint[] = [];
  try {
    await Promise.all(
      CHANGES.map(async (change, index) =>
        opened.push(
          await OpenEndpoint.open(context, change, index === CHANGES.length - 1 ? QUERY : ''),
        ),
      ),
    );
    const ordered = opened.toSorted(
      (one, other) => CHANGES.indexOf(one.change) - CHANGES.indexOf(other.change),
    );
    await Promise.all(opened.map((endpoint) => endpoint.createRun()));
    await wait(opened, () => opened.every((endpoint) => endpoint.hasLatest()));
    await Promise.all(opened.map((endpoint) => endpoint.applyChange()));
    for (const endpoint of ordered) await endpoint.createRun();
    const unchanged = opened.filter(({ change }) => change === 'unchanged');
    const waited = await wait(unchanged, () => unchanged.every((endpoint) => endpoint.hasLatest()));
    await settle(controlOrNull(context)?.waitForIdle() ?? Promise.resolve(true));
    const ended = await Promise.all(
      opened.map(
        async (endpoint) => [endpoint.change, await endpoint.end(context, waited)] as const,
      ),
    );
    const of = (wanted: EndpointChange): ObservedEndpoint[] =>
      ended.flatMap(([change, endpoint]) => (change === wanted ? [endpoint] : []));
    return { unchanged: of('unchanged'), disabled: of('disabled'), deleted: of('deleted') };
  } finally {
    await Promise.all(opened.map(({ opened: { driven } }) => driven.close()));
  }
}

async function wait([first]: readonly OpenEndpoint[], condition: () => boolean): Promise<Waited> {
  if (first === undefined) throw new TypeError('an endpoint expected');
  return first.opened.driven.wait(condition);
}

/** An endpoint during the scene. */
class OpenEndpoint {
  readonly change: EndpointChange;
  readonly opened: OpenScene;
  readonly #runs: ControlledRun[] = [];
  #change: Settled<void> = [undefined];

  static async open(
    context: CheckContext,
    change: EndpointChange,
    query: string,
  ): Promise<OpenEndpoint> {
    return new OpenEndpoint(change, await openScene(context.sender, () => ACCEPTED, { query }));
  }

  private constructor(change: EndpointChange, opened: OpenScene) {
    this.change = change;
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
  hasLatest(): boolean {
    const latest = this.#runs.at(-1);
    const { deliveries } = this.opened.driven.listener;
    return latest !== undefined && about(deliveries, latest).length > 0;
  }

  async applyChange(): Promise<void> {
    const { driven } = this.opened;
    if (this.change === 'disabled') this.#change = await settle(driven.disable());
    if (this.change === 'deleted') this.#change = await settle(driven.remove());
  }

  async end(context: CheckContext, waited: Waited): Promise<ObservedEndpoint> {
    const [before, after] = this.#runs;
    if (before === undefined || after === undefined) throw new TypeError('two runs expected');
    const scene = await endScene(context, this.opened, waited);
    const { tenantId } = this.opened.driven;
    return { scene, tenantId, before, after, change: this.#change };
  }
}
