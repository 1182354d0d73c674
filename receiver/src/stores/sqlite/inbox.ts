import { bodyDigest } from '../repetition.ts';
import type { AcceptOutcome } from '../store.ts';
import type { Database } from './driver.ts';
import { filing } from './filing.ts';
import { partOf, readFrame, readIds } from './frame.ts';
import type { FramedEvent } from './frame.ts';
import type { Moment } from './moment.ts';
import { bytes, numberIn, numberOrNull, text } from './rows.ts';
import type { Totals } from './totals.ts';
import { UnfiledIds } from './unfiled-ids.ts';

/** Above this number, accepting files the events itself, which bounds the memory that their ids take. */
const MAX_UNFILED_IDS = 65_536;

/**
 * Accepted events that are not filed yet. Accepting writes one row for all events of a commit, which
 * costs little more than appending to a file. Filing moves them to the tables of events and jobs
 * before anything is read.
 *
 * `accept` and `file` run inside a transaction; `committed` or `rolledBack` follows it.
 */
export interface Inbox {
  /** Returns one outcome for each event of a frame; `null` when all are new. */
  accept(at: Moment, frame: Uint8Array): readonly AcceptOutcome[] | null;
  file(at: Moment): void;
  committed(): void;
  rolledBack(): void;
}

export function openInbox(database: Database, totals: Totals): Inbox {
  const insert = database.prepare('INSERT INTO hookproof_inbox (frame) VALUES (?)');
  const rows = database.prepare(
    'SELECT seq, frame FROM hookproof_inbox WHERE seq > ? ORDER BY seq',
  );
  const remove = database.prepare('DELETE FROM hookproof_inbox WHERE seq <= ?');
  const digest = database.prepare('SELECT digest FROM hookproof_events WHERE id = ?');
  const filedIds = findFiledIds(database);
  const fileEvents = filing(database, totals);
  const unfiled = new UnfiledIds();
  const readOthers = readOtherProcesses(database, unfiled, (after) => rows.all(after));
  let added: { readonly seq: number; readonly ids: readonly string[] } | null = null;
  let filedSeq = 0;

  const file = (at: Moment): void => {
    for (const row of rows.all(0)) {
      fileEvents(at, readFrame(bytes(row, 'frame')));
      filedSeq = numberIn(row, 'seq');
    }
    if (filedSeq > 0) remove.run(filedSeq);
  };
  const repetition = ({ id, body }: FramedEvent): AcceptOutcome =>
    Buffer.compare(bytes(digest.get(id) ?? {}, 'digest'), bodyDigest(body)) === 0
      ? 'duplicate'
      : 'conflict';

  return {
    accept(at, frame) {
      readOthers();
      const ids = readIds(frame);
      const filed = filedIds(ids);
      const fresh = new Set<string>();
      const isNew = ids.map((id) => {
        const isKnown = filed.has(id) || unfiled.has(id) || fresh.has(id);
        if (!isKnown) fresh.add(id);
        return !isKnown;
      });
      const areAllNew = fresh.size === ids.length;
      if (fresh.size > 0) {
        const row = areAllNew ? frame : partOf(frame, isNew);
        added = { seq: Number(insert.run(row).lastInsertRowid), ids: [...fresh] };
      }
      if (!areAllNew || unfiled.size > MAX_UNFILED_IDS) file(at);
      if (areAllNew) return null;
      const { events } = readFrame(frame);
      return events.map((event, index) => (isNew[index] === true ? 'new' : repetition(event)));
    },
    file,
    committed() {
      if (added !== null) unfiled.add(added);
      if (filedSeq > 0) unfiled.remove(filedSeq);
      added = null;
      filedSeq = 0;
    },
    rolledBack() {
      added = null;
      filedSeq = 0;
    },
  };
}

/** One statement looks up all ids, because each call of the binding costs more than a lookup. */
function findFiledIds(database: Database): (ids: readonly string[]) => ReadonlySet<string> {
  const find = database.prepare(
    'SELECT e.id FROM json_each(?) asked CROSS JOIN hookproof_events e ON e.id = asked.value',
  );
  return (ids) => new Set(find.all(JSON.stringify(ids)).map((row) => text(row, 'id')));
}

/** Returns a function that learns which events other processes have accepted and filed. */
function readOtherProcesses(
  database: Database,
  unfiled: UnfiledIds,
  rowsAfter: (seq: number) => ReturnType<ReturnType<Database['prepare']>['all']>,
): () => void {
  const version = database.prepare('PRAGMA data_version');
  const first = database.prepare('SELECT min(seq) AS seq FROM hookproof_inbox');
  let lastVersion = -1;

  return () => {
    const current = numberIn(version.get() ?? {}, 'data_version');
    if (current === lastVersion) return;
    lastVersion = current;
    const firstSeq = numberOrNull(first.get() ?? { seq: null }, 'seq') ?? Infinity;
    unfiled.remove(firstSeq - 1);
    for (const row of rowsAfter(unfiled.lastSeq)) {
      unfiled.add({ seq: numberIn(row, 'seq'), ids: readIds(bytes(row, 'frame')) });
    }
  };
}
