import type { ApiClient } from '../clients/api-client.ts';
import type { ControlClient } from '../clients/control-client.ts';
import { grouped } from '../grouped.ts';
import type { JournalEntry } from '../journal/journal.ts';
import { describeUndo } from '../journal/undo.ts';
import type { Undo } from '../journal/undo.ts';
import type { StepPerformer } from '../options/step.ts';
import { NotApplicable } from '../verdict/findings.ts';
import { restoreFields } from './restore-fields.ts';

/** What undoes the changes of a run. `control` throws on use without a control interface. */
export interface Tools {
  readonly api: ApiClient;
  readonly control: ControlClient;
}

/** What could not be undone. */
export interface LeftBehind {
  readonly what: string;
  /** Null when `what` says it. */
  readonly reason: string | null;
  /** Whether it may be undone later: the entry is still in the journal. */
  readonly retry: boolean;
}

/** The parts of what is left that are named beside their number. */
const MAX_NAMES = 3;

/** What is left, a sentence for each reason. */
export function leftBehindTexts(left: ReadonlyMap<string, string | null>): readonly string[] {
  return [...grouped(left, ([, reason]) => reason)].flatMap(([reason, entries]) => {
    const all = entries.map(([what]) => what);
    if (reason === null) return all;
    const more = all.length - MAX_NAMES;
    const names = all.slice(0, MAX_NAMES).join(', ');
    return [`${names}${more > 0 ? ` and ${more} more` : ''}: ${reason}`];
  });
}

/** Undoes changes in the given order, and settles their entries. Never throws. */
export async function putBack(
  entries: readonly JournalEntry[],
  tools: Tools,
  steps: StepPerformer | null,
): Promise<readonly LeftBehind[]> {
  const left: LeftBehind[] = [];
  for (const entry of entries) {
    try {
      const what = await undo(entry.undo, tools, steps);
      if (what !== null) left.push({ what, reason: null, retry: false });
      await entry.settle();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      left.push({ what: describeUndo(entry.undo), reason, retry: true });
    }
  }
  return left;
}

/** Null when the change is undone, else what the target kept. Throws when the target gives no usable response. */
async function undo(
  change: Undo,
  tools: Tools,
  steps: StepPerformer | null,
): Promise<string | null> {
  const { kind } = change;
  if (kind === 'fields') return restoreFields(tools.api, change);
  if (kind === 'step-endpoint') return deleteByStep(steps, change);
  const { control } = tools;
  if (kind === 'api-fault') return removeFault(control, change);
  if (kind === 'endpoint') return removeEndpoint(control, change);
  if (kind === 'world') return deleteWorlds(control, [change.worldId]);
  if (kind === 'worlds') return deleteWorlds(control, await worldsLabelled(control, change.label));
  await control.changeLimits(change.limits);
  return null;
}

async function worldsLabelled(control: ControlClient, wanted: string): Promise<readonly string[]> {
  const worlds = await listOf(control.worlds());
  return worlds?.filter(({ label }) => label === wanted).map(({ id }) => id) ?? [];
}

/** A fault ends by itself, so that a control interface without these operations leaves none. */
async function removeFault(
  control: ControlClient,
  { faultId, tenantId }: Extract<Undo, { kind: 'api-fault' }>,
): Promise<null> {
  const ours = (await listOf(control.faults()))?.filter(
    ({ match }) => match?.tenantId === tenantId,
  );
  const ids = ours?.map(({ id }) => id ?? '') ?? (faultId === null ? [] : [faultId]);
  for (const id of ids) await control.removeFault(id).catch(ignoreAbsence);
  return null;
}

async function removeEndpoint(
  control: ControlClient,
  { endpointId, url, worldId }: Extract<Undo, { kind: 'endpoint' }>,
): Promise<string | null> {
  const listed = await listOf(control.endpoints());
  const ours = listed?.filter(
    (one) => one.id === endpointId || (endpointId === null && isAt(one, url, worldId)),
  );
  const ids = ours?.map(({ id }) => id) ?? (endpointId === null ? [] : [endpointId]);
  for (const id of ids) await control.deleteEndpoint(id);
  return null;
}

async function deleteByStep(
  steps: StepPerformer | null,
  { url, endpointId }: Extract<Undo, { kind: 'step-endpoint' }>,
): Promise<null> {
  if (steps === null) throw new Error('pass the --trigger or --ask of that run');
  const known = endpointId === null ? {} : { endpointId };
  const result = await steps.perform({ name: 'delete-endpoint', url, ...known });
  if (result.kind !== 'done') throw new Error(`delete-endpoint: ${result.message}`);
  return null;
}

function isAt(
  endpoint: { readonly url: string; readonly worldId?: string },
  url: string,
  worldId: string | null,
): boolean {
  return endpoint.url === url && (worldId === null || (endpoint.worldId ?? worldId) === worldId);
}

async function deleteWorlds(
  control: ControlClient,
  worldIds: readonly string[],
): Promise<string | null> {
  for (const worldId of worldIds) {
    try {
      await control.deleteWorld(worldId);
    } catch (error) {
      if (!(error instanceof NotApplicable)) throw error;
      const left = await listOf(control.worlds());
      const isGone = left?.every(({ id }) => id !== worldId) ?? false;
      if (!isGone) return `the worlds of the run: ${error.message}`;
    }
  }
  return null;
}

/** Null when the control interface cannot list. */
async function listOf<T>(list: Promise<readonly T[]>): Promise<readonly T[] | null> {
  return list.catch((error: unknown) => {
    if (error instanceof NotApplicable) return null;
    throw error;
  });
}

function ignoreAbsence(error: unknown): void {
  if (!(error instanceof NotApplicable)) throw error;
}
