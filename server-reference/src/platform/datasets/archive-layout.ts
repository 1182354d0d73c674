import { badRequest } from '../http/api-error.ts';
import { foldName } from '../state/example-order.ts';
import { readArtifactPath, readExampleName } from './artifact-path.ts';
import { conflictOf } from './examples.ts';
import { UnreadableArchive } from './zip-directory.ts';
import type { ZipDirectory, ZipMember } from './zip-directory.ts';

/**
 * The comment of an archive. It marks the layout, because an example may have a file whose name is a sign of
 * an older one.
 */
export const LAYOUT_COMMENT = 'dataset layout 2';

/** A file below the input or the expected folder of an example. */
export interface PlacedFile {
  readonly path: string;
  readonly member: ZipMember;
}

/** The place of everything that an archive has of one example. */
export interface PlacedExample {
  readonly name: string;
  readonly input: PlacedFile[];
  readonly expected: PlacedFile[];
  /** The members `input.json` and `expected.json`; absent without them. */
  inputJson?: ZipMember;
  expectedJson?: ZipMember;
}

/** Other requests get their turn after this many entries. */
const TURN_ENTRIES = 500;

/**
 * Returns the examples of an archive, in the order in which they come.
 *
 * @throws {ApiError} 400 on `file` for the layout of older archives, for names that are unsafe, and for two
 * that a file system could not keep apart
 */
export async function placeExamples(archive: ZipDirectory): Promise<PlacedExample[]> {
  const examples = new Map<string, PlacedExample>();
  const taken = new Map<string, string>();
  for (const folder of archive.folders) {
    if (isDebris(`${folder}/`)) continue;
    const [, name] = splitName(folder, FOLDERS);
    if (name !== undefined) exampleNamed(examples, taken, name);
  }
  for (const [index, member] of archive.files.entries()) {
    if (index % TURN_ENTRIES === 0) await new Promise(setImmediate);
    if (isDebris(member.name)) continue;
    refuseOlderLayout(archive, member.name);
    const parts = splitName(member.name, PLACES);
    const example = exampleNamed(examples, taken, parts[1] ?? '');
    refuseTaken(taken, member.name);
    place(example, member, parts);
  }
  refuseFilesAsFolders(archive);
  return [...examples.values()];
}

const FOLDERS = /^examples(?:\/([^/]+)(?:\/(?:input|expected)(?:\/.*)?)?)?$/s;
const PLACES = /^examples\/([^/]+)\/(?:(input|expected)\/(.+)|(input|expected)\.json)$/s;

/** What systems add to archives by themselves. */
function isDebris(name: string): boolean {
  return /^__MACOSX\/|^(?:examples\/(?:[^/]+\/)?)?\.DS_Store$/.test(name);
}

const OLDER_LAYOUT =
  /^examples\/[^/]+\/(?:expected\/(?:error|output)\.json|input\/arguments\.json)$/;

function refuseOlderLayout({ comment }: ZipDirectory, name: string): void {
  const isManifest = /^(?:.*\/)?manifest\.json$/.test(name) && !PLACES.test(name);
  if (!isManifest && (comment === LAYOUT_COMMENT || !OLDER_LAYOUT.test(name))) return;
  throw refused(
    `has the layout of an older export: ${shown(name)}`,
    'Export the dataset again, or rename the file.',
  );
}

function splitName(name: string, pattern: RegExp): readonly string[] {
  const parts = pattern.exec(name);
  if (parts !== null) return parts;
  throw refused(`has an entry that is no part of an example: ${shown(name)}`);
}

function exampleNamed(
  examples: Map<string, PlacedExample>,
  taken: Map<string, string>,
  name: string,
): PlacedExample {
  const known = examples.get(name);
  if (known !== undefined) return known;
  readExampleName(name, 'file');
  refuseTaken(taken, `examples/${name}`);
  const example: PlacedExample = { name, input: [], expected: [] };
  examples.set(name, example);
  return example;
}

function place(example: PlacedExample, member: ZipMember, parts: readonly string[]): void {
  const [, , folder, path = '', json] = parts;
  if (json === 'input') example.inputJson = member;
  else if (json === 'expected') example.expectedJson = member;
  else {
    readArtifactPath(path, 'file');
    (folder === 'input' ? example.input : example.expected).push({ path, member });
  }
}

function refuseTaken(taken: Map<string, string>, name: string): void {
  const folded = foldName(name);
  const other = taken.get(folded);
  taken.set(folded, name);
  if (other === undefined) return;
  throw refused(
    other === name
      ? `has two entries with the name ${shown(name)}`
      : `has two names that differ only in case: ${shown(other)} and ${shown(name)}`,
  );
}

function refuseFilesAsFolders({ files }: ZipDirectory): void {
  const placed = files.filter(({ name }) => !isDebris(name)).map(({ name }) => ({ path: name }));
  const [file] = conflictOf(placed) ?? [];
  if (file === undefined) return;
  throw refused(`has a file and a folder with the name ${shown(file.path)}`);
}

const MAX_SHOWN = 120;

function shown(name: string): string {
  return JSON.stringify(name.slice(0, MAX_SHOWN));
}

/** Converts an unreadable archive to 400 on `file`. Rethrows other errors. */
export function refuseArchive(error: unknown): never {
  if (error instanceof UnreadableArchive) throw refused(error.message);
  throw error;
}

function refused(message: string, hint?: string): Error {
  return badRequest(
    'invalid_archive',
    'file',
    message,
    hint ?? 'Send a ZIP archive that GET /v1/automations/{id}/dataset/export wrote.',
  );
}
