import { isDeepStrictEqual } from 'node:util';

import type { ControlClient, World } from '../clients/control-client.ts';
import type { JournalScope } from './journal.ts';
import type { JournalEntry, Undo } from './undo.ts';

/** Longer than a check may take. A run that is killed leaves its limits and faults for this real time at most. */
const EXPIRY_MILLISECONDS = 120_000;

/** A control client that records how each change is undone, before it makes the change. */
export function recordedControl(control: ControlClient, changes: JournalScope): ControlClient {
  const createWorldFor = async (owner: 'attempt' | 'run'): Promise<World> => {
    const world = await control.createWorld({ label: await changes.worldLabel() });
    await changes.record({ kind: 'world', worldId: world.id }, owner);
    return world;
  };
  const settle = async (isUndone: (undo: Undo) => boolean): Promise<void> => {
    const undone = changes.outstanding().filter(({ undo }) => isUndone(undo));
    await Promise.all(undone.map((entry) => entry.settle()));
  };
  const limits = (): ReturnType<ControlClient['getLimits']> =>
    changes.originalLimits(() => control.getLimits());
  return {
    ...control,
    createWorld: () => createWorldFor('attempt'),
    createSharedWorld: () => createWorldFor('run'),
    async deleteWorld({ id }) {
      await control.deleteWorld({ id });
      await settle((undo) => undo.kind === 'world' && undo.worldId === id);
    },
    async createWebhookEndpoint(creation) {
      const { url, worldId = null } = creation;
      const undo = { kind: 'endpoint', worldId, url, endpointId: null } as const;
      const entry = await changes.record(undo);
      const endpoint = await control.createWebhookEndpoint(creation);
      await entry.amend({ ...undo, endpointId: endpoint.id });
      return endpoint;
    },
    async deleteWebhookEndpoint({ id }) {
      await control.deleteWebhookEndpoint({ id });
      await settle((undo) => undo.kind === 'endpoint' && undo.endpointId === id);
    },
    getLimits: limits,
    /** The first change of an attempt records the limits before it. The change that restores them has no end. */
    async changeLimits(change = {}) {
      if (!changes.outstanding().some(isLimits)) {
        await changes.record({ kind: 'limits', limits: await limits() });
      }
      const undo = changes.outstanding().find(isLimits)?.undo;
      const before = undo?.kind === 'limits' ? undo.limits : null;
      if (!isDeepStrictEqual({ ...before, ...change }, before)) {
        return control.changeLimits({ ...change, expiresInMilliseconds: EXPIRY_MILLISECONDS });
      }
      const restored = await control.changeLimits(change);
      await settle(({ kind }) => kind === 'limits');
      return restored;
    },
    async injectApiFault(fault) {
      const { tenantId } = fault.match;
      const undo = { kind: 'api-fault', tenantId, faultId: null } as const;
      const entry = await changes.record(undo);
      const ending = { ...fault, expiresInMilliseconds: EXPIRY_MILLISECONDS };
      const injected = await control.injectApiFault(ending);
      await entry.amend({ ...undo, faultId: injected.id ?? null });
      return injected;
    },
  };
}

function isLimits({ undo }: JournalEntry): boolean {
  return undo.kind === 'limits';
}
