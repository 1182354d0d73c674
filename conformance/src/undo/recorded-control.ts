import { isDeepStrictEqual } from 'node:util';

import type { Limits, LimitsChange, WebhookEndpointCreation } from '@hookproof/spec/control';

import type {
  ControlClient,
  InjectedFault,
  NewFault,
  WebhookEndpoint,
  World,
} from '../clients/control-client.ts';
import { HttpControlClient } from '../clients/http-control-client.ts';
import type { JournalScope } from './journal.ts';
import type { JournalEntry, Undo } from './undo.ts';

/** Longer than a check may take. A run that is killed leaves its limits and faults for this real time at most. */
const EXPIRY_MILLISECONDS = 120_000;

/** A control client that records how each change is undone, before it makes the change. */
export class RecordedControl extends HttpControlClient implements ControlClient {
  readonly #changes: JournalScope;

  constructor(changes: JournalScope, ...client: ConstructorParameters<typeof HttpControlClient>) {
    super(...client);
    this.#changes = changes;
  }

  override createWorld(): Promise<World> {
    return this.#createWorldFor('attempt');
  }

  override createSharedWorld(): Promise<World> {
    return this.#createWorldFor('run');
  }

  override async deleteWorld(worldId: string): Promise<void> {
    await super.deleteWorld(worldId);
    await this.#settle((undo) => undo.kind === 'world' && undo.worldId === worldId);
  }

  override async createEndpoint(creation: WebhookEndpointCreation): Promise<WebhookEndpoint> {
    const { url, worldId = null } = creation;
    const undo = { kind: 'endpoint', worldId, url, endpointId: null } as const;
    const entry = await this.#changes.record(undo);
    const endpoint = await super.createEndpoint(creation);
    await entry.amend({ ...undo, endpointId: endpoint.id });
    return endpoint;
  }

  override async deleteEndpoint(endpointId: string): Promise<void> {
    await super.deleteEndpoint(endpointId);
    await this.#settle((undo) => undo.kind === 'endpoint' && undo.endpointId === endpointId);
  }

  override limits(): Promise<Limits> {
    return this.#changes.originalLimits(() => super.limits());
  }

  /** The first change of an attempt records the limits before it. The change that restores them has no end. */
  override async changeLimits(change: LimitsChange): Promise<Limits> {
    const scope = this.#changes;
    if (!scope.outstanding().some(isLimits)) {
      await scope.record({ kind: 'limits', limits: await this.limits() });
    }
    const undo = scope.outstanding().find(isLimits)?.undo;
    const before = undo?.kind === 'limits' ? undo.limits : null;
    if (!isDeepStrictEqual({ ...before, ...change }, before)) {
      return super.changeLimits({ ...change, expiresInMilliseconds: EXPIRY_MILLISECONDS });
    }
    const limits = await super.changeLimits(change);
    await this.#settle((one) => one.kind === 'limits');
    return limits;
  }

  override async injectFault(fault: NewFault): Promise<InjectedFault> {
    const undo = { kind: 'api-fault', tenantId: fault.tenantId, faultId: null } as const;
    const entry = await this.#changes.record(undo);
    const ending = { ...fault, expiresInMilliseconds: EXPIRY_MILLISECONDS };
    const injected = await super.injectFault(ending);
    await entry.amend({ ...undo, faultId: injected.id ?? null });
    return injected;
  }

  async #createWorldFor(owner: 'attempt' | 'run'): Promise<World> {
    const world = await super.createWorld(await this.#changes.worldLabel());
    await this.#changes.record({ kind: 'world', worldId: world.id }, owner);
    return world;
  }

  async #settle(isUndone: (undo: Undo) => boolean): Promise<void> {
    const undone = this.#changes.outstanding().filter(({ undo }) => isUndone(undo));
    await Promise.all(undone.map((entry) => entry.settle()));
  }
}

function isLimits({ undo }: JournalEntry): boolean {
  return undo.kind === 'limits';
}
