import { LAYOUT_COMMENT } from '../../api/datasets/archive.ts';
import { conflictOf, readArtifactPath, readExampleName } from '../../api/files/artifact-path.ts';
import { refusal } from '../../errors.ts';
import { foldName } from '../../api/files/artifact-path.ts';
import { UnreadableArchive } from './zip-directory.ts';
import type { ZipDirectory, ZipMember } from './zip-directory.ts';

/** A file below the input or the expected folder of an example. */
export interface ArchivedFile {
  readonly path: string;
  readonly member: ZipMember;
}

/** Everything that an archive has of one example. */
export interface ArchivedExample {
  readonly name: string;
  readonly input: ArchivedFile[];
  readonly expected: ArchivedFile[];
  /** The members `input.json` and `expected.json`; absent without them. */
  inputJson?: ZipMember;
  expectedJson?: ZipMember;
}

/** Other requests get their turn after this many entries. */
const TURN_ENTRIES = 500;

/**
 * Returns the examples of an archive, in the order in which they come.
 *
 * @throws {ApiError} `invalid_archive` on `file` for the layout of older archives, for names that are unsafe, and for two
 * that a file system could not keep apart
 */
export async function readExamples(archive: ZipDirectory): Promise<ArchivedExample[]> {
  const examples = new Map<string, ArchivedExample>();
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
    const parts = splitName(member.name, MEMBERS);
    const example = exampleNamed(examples, taken, parts[1] ?? '');
    refuseTaken(taken, member.name);
    addMember(example, member, parts);
  }
  refuseFilesAsFolders(archive);
  return [...examples.values()];
}

const FOLDERS = /^examples(?:\/([^/]+)(?:\/(?:input|expected)(?:\/.*)?)?)?$/s;
const MEMBERS = /^examples\/([^/]+)\/(?:(input|expected)\/(.+)|(input|expected)\.json)$/s;

/** What systems add to archives by themselves. */
function isDebris(name: string): boolean {
  return /^__MACOSX\/|^(?:examples\/(?:[^/]+\/)?)?\.DS_Store$/.test(name);
}

const OLDER_LAYOUT =
  /^examples\/[^/]+\/(?:expected\/(?:error|output)\.json|input\/arguments\.json)$/;

function refuseOlderLayout({ comment }: ZipDirectory, name: string): void {
  const isManifest = /^(?:.*\/)?manifest\.json$/.test(name) && !MEMBERS.test(name);
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
  examples: Map<string, ArchivedExample>,
  taken: Map<string, string>,
  name: string,
): ArchivedExample {
  const known = examples.get(name);
  if (known !== undefined) return known;
  readExampleName(name, 'file');
  refuseTaken(taken, `examples/${name}`);
  const example: ArchivedExample = { name, input: [], expected: [] };
  examples.set(name, example);
  return example;
}

function addMember(example: ArchivedExample, member: ZipMember, parts: readonly string[]): void {
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
  const former = taken.get(folded);
  taken.set(folded, name);
  if (former === undefined) return;
  throw refused(
    former === name
      ? `has two entries with the name ${shown(name)}`
      : `has two names that differ only in case: ${shown(former)} and ${shown(name)}`,
  );
}

function refuseFilesAsFolders({ files }: ZipDirectory): void {
  const members = files.filter(({ name }) => !isDebris(name)).map(({ name }) => ({ path: name }));
  const [file] = conflictOf(members) ?? [];
  if (file === undefined) return;
  throw refused(`has a file and a folder with the name ${shown(file.path)}`);
}

const MAX_SHOWN = 120;

function shown(name: string): string {
  return JSON.stringify(name.slice(0, MAX_SHOWN));
}

/** Converts an unreadable archive to `invalid_archive`. Rethrows other errors. */
export function refuseArchive(error: unknown): never {
  if (error instanceof UnreadableArchive) throw refused(error.message);
  throw error;
}

function refused(message: string, hint?: string): Error {
  return refusal('invalid_archive', 'file', message, {
    hint: hint ?? 'Send a ZIP archive that GET /v1/automations/{id}/dataset/export wrote.',
  });
}
