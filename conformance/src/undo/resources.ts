import { isSuccess, membersOf, parseJson } from '../http/message.ts';
import type { Outgoing } from '../http/message.ts';
import type { JournalEntry, Restoration } from './undo.ts';
import { digestOf, theirsIn, withWritten } from './written.ts';

/** What a write is about to change. */
export interface Written {
  readonly entries: readonly JournalEntry[];
  /** Call with the response: what it shows of the fields that were sent is believed. */
  done(response: { readonly status: number; readonly json: unknown }): Promise<void>;
}

/** A resource of the API whose fields the checks of a run read and write. */
interface Resource {
  /** The last reading before the first write, which is the original. */
  reading: Restoration;
  /** Null before the first write. */
  entry: Promise<JournalEntry> | null;
  /** Digests of what others set during the run, by field: a check that sends it again does not make it the run's. */
  readonly theirs: Map<string, Set<string>>;
}

/**
 * The originals of the resources that a run writes to. Each is recorded once, before the first write of the run: a later
 * reading may lag behind the writes. With it stands what the run wrote, so that a change of somebody else is told from
 * one of the run.
 */
export class Resources {
  readonly #record: (undo: Restoration) => Promise<JournalEntry>;
  readonly #known = new Map<string, Resource>();

  constructor(record: (undo: Restoration) => Promise<JournalEntry>) {
    this.#record = record;
  }

  /** Notes the fields of a resource as a check reads them. */
  note(reading: Restoration): void {
    const known = this.#known.get(reading.what);
    if (known === undefined) {
      this.#known.set(reading.what, { reading, entry: null, theirs: new Map() });
    } else if (known.entry === null) known.reading = reading;
    else
      void known.entry.then(
        ({ undo }) => noteTheirs(known, undo, reading.fields),
        () => {},
      );
  }

  /**
   * Resolves when the original of each resource of a write and the values that it sends are durable: only then may the
   * request be sent. Throws `CouldNotRun`.
   */
  async writing({ method, url, body }: Outgoing): Promise<Written> {
    if (method === 'GET' || method === 'HEAD') return NOTHING;
    const target = targetOf(new URL(url).pathname);
    const written = [...this.#known.values()].filter(
      ({ reading }) => targetOf(reading.write.path) === target,
    );
    if (written.length === 0) return NOTHING;
    const sent = membersOf(parseJson(Buffer.from(body ?? []).toString('utf8')));
    const done = await Promise.all(written.map((resource) => this.#write(resource, sent)));
    return {
      entries: done.map(({ entry }) => entry),
      async done({ status, json }) {
        if (!isSuccess({ status })) return;
        const shown = membersOf(json);
        for (const { entry, names } of done) {
          const set = Object.entries(shown).filter(([name]) => names.includes(name));
          await amend(entry, Object.fromEntries(set), (undo) => entry.amend(undo));
        }
      },
    };
  }

  async #write(
    resource: Resource,
    sent: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly entry: JournalEntry; readonly names: readonly string[] }> {
    resource.entry ??= this.#record(resource.reading);
    const recording = resource.entry;
    // What cannot be recorded now may be recorded before the next write.
    recording.catch(() => (resource.entry = null));
    const entry = await recording;
    const own = Object.entries(sent).filter(
      ([name, value]) => resource.theirs.get(name)?.has(digestOf(value)) !== true,
    );
    await amend(entry, Object.fromEntries(own), (undo) => entry.amendDurably(undo));
    return { entry, names: own.map(([name]) => name) };
  }
}

const NOTHING: Written = { entries: [], done: async () => {} };

async function amend(
  { undo }: JournalEntry,
  values: Readonly<Record<string, unknown>>,
  replace: (undo: Restoration) => Promise<void>,
): Promise<void> {
  if (undo.kind !== 'fields') return;
  const amended = withWritten(undo, values);
  if (amended !== undo) await replace(amended);
}

function noteTheirs(
  { theirs }: Resource,
  undo: JournalEntry['undo'],
  fields: Restoration['fields'],
): void {
  if (undo.kind !== 'fields') return;
  for (const name of theirsIn(undo, fields)) {
    const known = theirs.get(name) ?? new Set();
    theirs.set(name, known.add(digestOf(fields[name])));
  }
}

/** The last two segments of a path, which name a resource whatever form the id of its automation has. */
function targetOf(pathname: string): string {
  const segments = pathname.split('/').slice(-2);
  return segments.map(decoded).join('/');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
