import type { ApiClient } from '../clients/api-client.ts';
import type { ControlClient } from '../clients/control-client.ts';
import { isSuccess } from '../http/message.ts';
import { grouped } from '../grouped.ts';
import type { StepPerformer } from '../options/step.ts';
import { NotApplicable } from '../verdict/findings.ts';
import { monotonicClock } from '../wire/rate.ts';
import { restoreFields } from './restore-fields.ts';
import type { Waiting } from './restore-fields.ts';
import { describeUndo } from './undo.ts';
import type { JournalEntry, Undo } from './undo.ts';

/** What undoes the changes of a run. `control` throws on use without a control interface. */
export interface Tools {
  readonly api: ApiClient;
  readonly control: ControlClient;
  readonly steps: StepPerformer | null;
  readonly waiting: Waiting;
}

/** What could not be undone. */
interface LeftBehind {
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

/** An endpoint may need its world, and the list of worlds shows those that are left. The others wait for nobody. */
const STAGES: readonly (readonly Undo['kind'][])[] = [
  ['fields', 'patch', 'limits', 'api-fault', 'endpoint', 'step-endpoint'],
  ['world'],
  ['worlds'],
];

/**
 * Undoes changes, and settles their entries. Only at the `end` of a run those of fields: until then a check may write
 * them again. Never throws.
 */
export async function putBack(
  entries: readonly JournalEntry[],
  tools: Tools,
  moment: 'attempt' | 'end',
): Promise<readonly LeftBehind[]> {
  const left: LeftBehind[] = [];
  const putBackOne = async (entry: JournalEntry): Promise<void> => {
    try {
      const { left: what, open } = await undo(entry.undo, tools);
      const isLast = moment === 'end' || entry.undo.kind !== 'fields';
      if (what !== null && isLast) left.push({ what, reason: null, retry: false });
      if (open !== null) left.push({ what: open, reason: null, retry: true });
      else if (isLast) await entry.settle();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      left.push({ what: describeUndo(entry.undo), reason, retry: true });
    }
  };
  for (const kinds of STAGES) {
    await Promise.all(entries.filter(({ undo: { kind } }) => kinds.includes(kind)).map(putBackOne));
  }
  return left;
}

/** What remains of a change: what is left for good, and what may be undone later. */
interface Remains {
  readonly left: string | null;
  readonly open: string | null;
}

/** Throws when the target gives no usable response. */
async function undo(change: Undo, tools: Tools): Promise<Remains> {
  if (change.kind !== 'fields') return { left: await undoOther(change, tools), open: null };
  const { theirs, open } = await restoreFields(tools.api, change, tools.waiting);
  return { left: theirs, open };
}

async function undoOther(
  change: Exclude<Undo, { kind: 'fields' }>,
  tools: Tools,
): Promise<string | null> {
  const { kind } = change;
  if (kind === 'patch') return takeBack(tools.api, change);
  if (kind === 'step-endpoint') return deleteByStep(tools.steps, change, tools.waiting.signal);
  const { control } = tools;
  if (kind === 'api-fault') return removeFault(control, change);
  if (kind === 'endpoint') return removeEndpoint(control, change, tools.waiting);
  if (kind === 'world') return deleteWorlds(control, [change.worldId]);
  if (kind === 'worlds') return deleteWorlds(control, await worldsLabelled(control, change.label));
  await control.changeLimits(change.limits);
  return null;
}

async function takeBack(
  api: ApiClient,
  { path, json, place }: Extract<Undo, { kind: 'patch' }>,
): Promise<null> {
  const response = await api.send({ method: 'PATCH', path, json });
  if (isSuccess(response)) return null;
  if (place !== null && response.status === 404) {
    const there = await api.send({ method: 'PATCH', path: place, json });
    if (there.status !== 404) return null;
  }
  throw new Error(`PATCH ${path} with ${JSON.stringify(json)} gets ${response.status}`);
}

async function worldsLabelled(control: ControlClient, wanted: string): Promise<readonly string[]> {
  const worlds = await listOf(control.listWorlds());
  return worlds?.filter(({ label }) => label === wanted).map(({ id }) => id) ?? [];
}

/** A fault ends by itself, so that a control interface without these operations leaves none. */
async function removeFault(
  control: ControlClient,
  { faultId, tenantId }: Extract<Undo, { kind: 'api-fault' }>,
): Promise<null> {
  const ours = (await listOf(control.listApiFaults()))?.filter(
    ({ match }) => match?.tenantId === tenantId,
  );
  const ids = ours?.map(({ id }) => id ?? '') ?? (faultId === null ? [] : [faultId]);
  for (const id of ids) await control.removeApiFault({ id }).catch(ignoreAbsence);
  return null;
}

/** How often the list is read for an endpoint whose creation got no response: it may show a moment later. */
const MAX_LOOKS = 4;
const LOOK_MILLISECONDS = 500;

async function removeEndpoint(
  control: ControlClient,
  { endpointId, url, worldId }: Extract<Undo, { kind: 'endpoint' }>,
  { signal }: Waiting,
): Promise<null> {
  if (endpointId !== null) {
    await control.deleteWebhookEndpoint({ id: endpointId }).catch(async (error: unknown) => {
      const listed = await listOf(control.listWebhookEndpoints());
      const isGone = listed?.every(({ id }) => id !== endpointId) ?? false;
      if (!isGone) throw error;
    });
    return null;
  }
  for (let look = 1; ; look += 1) {
    const listed = await listOf(control.listWebhookEndpoints());
    const ours = listed?.filter((one) => isAt(one, url, worldId)) ?? [];
    for (const { id } of ours) await control.deleteWebhookEndpoint({ id });
    if (ours.length > 0 || listed === null || look === MAX_LOOKS) return null;
    await monotonicClock.sleep(LOOK_MILLISECONDS, signal);
  }
}

async function deleteByStep(
  steps: StepPerformer | null,
  { url, endpointId }: Extract<Undo, { kind: 'step-endpoint' }>,
  signal: AbortSignal,
): Promise<null> {
  if (steps === null) throw new Error('pass the --step-command or --ask of that run');
  const known = endpointId === null ? {} : { endpointId };
  const result = await steps.perform({ name: 'delete-endpoint', url, ...known }, signal);
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
      await control.deleteWorld({ id: worldId });
    } catch (error) {
      if (!(error instanceof NotApplicable)) throw error;
      const left = await listOf(control.listWorlds());
      const isGone = left?.every(({ id }) => id !== worldId) ?? false;
      if (!isGone) return `the worlds of the run: ${error.message}`;
    }
  }
  return null;
}

/** Null when the control interface cannot list. */
async function listOf<T>(
  list: Promise<{ readonly data: readonly T[] }>,
): Promise<readonly T[] | null> {
  try {
    return (await list).data;
  } catch (error) {
    if (error instanceof NotApplicable) return null;
    throw error;
  }
}

function ignoreAbsence(error: unknown): void {
  if (!(error instanceof NotApplicable)) throw error;
}
