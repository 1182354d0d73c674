import type { ApiClient } from '../clients/api-client.ts';
import { findEntry } from '../clients/find-entry.ts';
import { isSuccess, membersOf } from '../http/message.ts';
import { Inconclusive } from '../verdict/findings.ts';
import { monotonicClock } from '../wire/rate.ts';
import type { Restoration } from './undo.ts';
import { isSame, theirsIn } from './written.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What became of the fields of a resource, a sentence each. */
interface Restored {
  /** The fields that somebody else has set, which are left. Null without any. */
  readonly theirs: string | null;
  /** The fields that are not as they were, or do not show it yet. Null without any. */
  readonly open: string | null;
}

/** How long the list is read until it shows what was written back. */
export interface Waiting {
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

const FIRST_PAUSE_MILLISECONDS = 50;
const MAX_PAUSE_MILLISECONDS = 500;

/**
 * Writes the original value of each field back where the field has it or a value that the run wrote; another value was
 * set by somebody else. The reads of a deployment can lag behind its writes: so it writes also where a field has the
 * original, believes the response, and reads the list until that agrees. Throws `Inconclusive` when the resource cannot
 * be read or written.
 */
export async function restoreFields(
  api: ApiClient,
  undo: Restoration,
  waiting: Waiting,
): Promise<Restored> {
  // Refused requests count as written: this run sent the original values alone, or nothing.
  if (Object.keys(undo.written).length === 0) return { theirs: null, open: null };
  const before = await readFields(api, undo);
  const theirs = theirsIn(undo, before);
  const fields = Object.entries(undo.fields).filter(([name]) => !theirs.includes(name));
  const refused = await writeBack(api, undo, Object.fromEntries(fields));
  const written = fields.map(([name]) => name).filter((name) => !refused.includes(name));
  const shown = await readUntilShown(api, undo, written, waiting);
  const left = theirsIn(undo, shown);
  const isOpen = ([name]: readonly [string, unknown]): boolean =>
    !left.includes(name) && !isSame(shown[name], undo.fields[name]);
  const differences = fields.filter(isOpen).map(([name, was]) => {
    const values = `${name} was ${show(was)} and is ${show(shown[name])}`;
    return refused.includes(name) ? values : `${values} in the list, though it is written back`;
  });
  return {
    theirs: sentence(
      undo,
      left
        .filter((name) => undo.written[name] !== undefined)
        .map((name) => {
          const [was, is] = [show(undo.fields[name]), show(shown[name])];
          return `${name} was ${was} and is ${is}, which this run did not write`;
        }),
    ),
    open: sentence(undo, differences),
  };
}

/** Resolves with the names of the fields that the target does not take back. */
async function writeBack(
  api: ApiClient,
  { write }: Restoration,
  fields: Fields,
): Promise<readonly string[]> {
  let open = Object.keys(fields);
  const send = async (json: Fields): Promise<void> => {
    if (open.length === 0 || Object.keys(json).length === 0) return;
    const response = await api.send({ method: 'PATCH', path: write.path, json });
    if (!isSuccess(response)) return;
    const shown = membersOf(response.json);
    open = open.filter((name) => !(name in json && isSame(shown[name] ?? json[name], json[name])));
  };
  await send(fields);
  // An API may need every field, or refuse a null; so the last bodies have one field each.
  await send(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)));
  for (const name of open) await send({ [name]: fields[name] });
  return open;
}

/** The fields as the list shows them when these have their original values, or at the end of the time. */
async function readUntilShown(
  api: ApiClient,
  undo: Restoration,
  names: readonly string[],
  { milliseconds, signal }: Waiting,
): Promise<Fields> {
  const end = monotonicClock.now() + milliseconds;
  for (let pause = FIRST_PAUSE_MILLISECONDS; ;) {
    const shown = await readFields(api, undo);
    const theirs = theirsIn(undo, shown);
    const isShown = names.every(
      (name) => theirs.includes(name) || isSame(shown[name], undo.fields[name]),
    );
    if (isShown || monotonicClock.now() + pause > end) return shown;
    await monotonicClock.sleep(pause, signal).catch(() => {});
    if (signal.aborted) return shown;
    pause = Math.min(pause * 2, MAX_PAUSE_MILLISECONDS);
  }
}

async function readFields(api: ApiClient, { what, read }: Restoration): Promise<Fields> {
  const { entry } = await findEntry(api, read.path, read.id);
  if (entry !== null) return entry;
  throw new Inconclusive(`${what} cannot be read: GET ${read.path} does not list ${read.id}.`);
}

function sentence({ what }: Restoration, parts: readonly string[]): string | null {
  return parts.length === 0 ? null : `${what}: ${parts.join('; ')}`;
}

function show(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}
