import type { Limits } from '@hookproof/spec/control';

import { isRecord, parseJson } from '../http/message.ts';

/** The fields of a resource of the API as they are, and how they are read and written with the key of the run. */
export interface Reading {
  /** Names the resource in the report: "review request rev_7". */
  readonly what: string;
  /** The path of a list, and the id of the resource in its `data`. */
  readonly read: { readonly path: string; readonly id: string };
  /** The path of its PATCH. */
  readonly write: { readonly path: string };
  /** Every field that a PATCH can set, with its value. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The fields of a resource before the first write of a run. */
export interface Restoration extends Reading {
  readonly kind: 'fields';
  /** Tells the key of the run from another one, without being it. */
  readonly keyDigest: string;
  /** Digests of the other values that the run wrote, by field. */
  readonly written: Readonly<Record<string, readonly string[]>>;
}

/** A PATCH with the key of the run that takes a change back: a move to the folder before, a rename to the name before. */
export interface TakingBack {
  /** Names the change in the report: "the folder of wf_7". */
  readonly what: string;
  readonly path: string;
  readonly json: Readonly<Record<string, unknown>>;
  /** The path that exists only if the change is taken back, or was never made. Null where `path` always exists. */
  readonly place: string | null;
}

/** How one change of a deployment is undone. An id is null until a response names it. */
export type Undo =
  | Restoration
  | (TakingBack & { readonly kind: 'patch'; readonly keyDigest: string })
  | { readonly kind: 'limits'; readonly limits: Limits }
  | { readonly kind: 'api-fault'; readonly tenantId: string; readonly faultId: string | null }
  | {
      readonly kind: 'endpoint';
      readonly worldId: string | null;
      readonly url: string;
      readonly endpointId: string | null;
    }
  /** An endpoint that a command or a person created, and is asked to delete. */
  | { readonly kind: 'step-endpoint'; readonly url: string; readonly endpointId: string | null }
  | { readonly kind: 'world'; readonly worldId: string }
  /** Every world with the label of a run, for those whose creation was not confirmed. */
  | { readonly kind: 'worlds'; readonly label: string };

/** One change that is not undone yet. */
export interface JournalEntry {
  readonly undo: Undo;
  /** Replaces the entry when more is known, such as an id. A lost amendment does no harm. */
  amend(undo: Undo): Promise<void>;
  /** Replaces the entry, and resolves when this is durable. Throws `CouldNotRun`. */
  amendDurably(undo: Undo): Promise<void>;
  /** The change is undone. */
  settle(): Promise<void>;
}

/** The change that an entry undoes, for messages. */
export function describeUndo(undo: Undo): string {
  const { kind } = undo;
  if (kind === 'fields' || kind === 'patch') return undo.what;
  if (kind === 'limits') return 'the limits of the API';
  if (kind === 'api-fault') return `the API fault ${undo.faultId ?? `for ${undo.tenantId}`}`;
  if (kind === 'endpoint' || kind === 'step-endpoint')
    return `the webhook endpoint ${undo.endpointId ?? undo.url}`;
  return kind === 'world' ? `the world ${undo.worldId}` : `the worlds labelled ${undo.label}`;
}

/** One line of a journal: an entry, its replacement under the same id, or its end. */
export type JournalLine =
  | { readonly id: string; readonly undo: Undo }
  | { readonly id: string; readonly undone: true };

/** The lines of a journal. A line that a crash has cut, or that has no known form, is left out. */
export function readLines(lines: readonly string[]): JournalLine[] {
  return lines.map(parseJson).filter(isJournalLine);
}

const KINDS: ReadonlySet<unknown> = new Set<Undo['kind']>([
  'fields',
  'patch',
  'limits',
  'api-fault',
  'endpoint',
  'step-endpoint',
  'world',
  'worlds',
]);

/** The journal is a file of this program: only its kinds are checked. */
function isJournalLine(value: unknown): value is JournalLine {
  if (!isRecord(value) || typeof value['id'] !== 'string') return false;
  if (value['undone'] === true) return true;
  return isRecord(value['undo']) && KINDS.has(value['undo']['kind']);
}
