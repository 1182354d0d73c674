import { Readable } from 'node:stream';

import type { StoredFile } from '../../store/datasets.ts';
import type { TenantId } from '../../store/ids.ts';
import type { ReadonlyState } from '../../store/state.ts';
import type { Blobs } from '../../store/blobs.ts';
import {
  findReferenced,
  InputFiles,
  MAX_INPUT_FILES,
  readInline,
  tooManyFiles,
  unknownStoredFile,
} from './input-files.ts';
import type { InputFile } from './input-files.ts';
import { replaceInFields } from './read-references.ts';
import type { FileReference } from './read-references.ts';

/** The input of a run as a caller gives it. */
export interface GivenInput {
  readonly tenantId: TenantId;
  readonly input: object;
  /** References by field; they join the input. */
  readonly files: object;
  /** Files of a form with their fields, in the order in which they were sent. */
  readonly formFiles: readonly (InputFile & { readonly field: string })[];
}

/** The input of a run as it is stored. */
interface IngestedInput {
  readonly input: object;
  readonly inputFiles: StoredFile[];
  /**
   * Refuses the input if one of its files no longer exists.
   *
   * @throws {ApiError} `not_found`
   */
  readonly refuseLost: (state: Pick<ReadonlyState, 'files'>, now: number) => void;
}

/**
 * Replaces the file references of an input by the files of the run, and stores the bytes of inline files.
 *
 * @throws {ApiError} `invalid_value` or `not_found` with the path of a broken reference
 */
export async function ingestInput(
  {
    store,
    blobs,
    clock,
  }: {
    readonly store: { readonly state: ReadonlyState };
    readonly blobs: Blobs;
    readonly clock: { now(): number };
  },
  given: GivenInput,
): Promise<IngestedInput> {
  const named: FileReference[] = [];
  const inlined = new Map<string, InputFile>();
  const find = (reference: FileReference): InputFile => {
    const { filename, contentType, size, sha256 } = findReferenced(
      store.state,
      given.tenantId,
      reference,
      clock.now(),
    );
    return { filename, contentType, bytes: { size, sha256 } };
  };
  const inlineReferences: FileReference[] = [];
  let count = given.formFiles.length;
  replaceAll(given, (reference) => {
    count += 1;
    if (count > MAX_INPUT_FILES) throw tooManyFiles(reference.path);
    if (reference.kind === '$file') throw unknownStoredFile(reference);
    if (reference.kind === '$inline') inlineReferences.push(reference);
    else find(reference);
    if (reference.kind === '$fileId') named.push(reference);
  });
  if (count > MAX_INPUT_FILES) throw tooManyFiles('files');
  for (const reference of inlineReferences) {
    const { content, ...label } = readInline(reference);
    const bytes = await blobs.put(Readable.from([content]), content.length);
    inlined.set(reference.path, { ...label, bytes });
  }
  const files = new InputFiles();
  const input = replaceAll(given, (reference) =>
    files.add(inlined.get(reference.path) ?? find(reference), reference.field),
  );
  return {
    input:
      given.formFiles.length === 0 ? input : { ...input, ...addFormFiles(files, given.formFiles) },
    inputFiles: files.stored,
    refuseLost: (state, now) => {
      for (const reference of named) findReferenced(state, given.tenantId, reference, now);
    },
  };
}

/** A file replaces the field of the input with its name. */
function replaceAll(
  { input, files, formFiles }: GivenInput,
  replace: (reference: FileReference) => unknown,
): object {
  const sent = new Set([...Object.keys(files), ...formFiles.map(({ field }) => field)]);
  if (sent.size === 0) return replaceInFields(input, 'input', replace);
  const rest = Object.entries(input).filter(([field]) => !sent.has(field));
  return {
    ...replaceInFields(Object.fromEntries(rest), 'input', replace),
    ...replaceInFields(files, 'files', replace),
  };
}

/** A field with several files becomes an array. */
function addFormFiles(
  files: InputFiles,
  formFiles: GivenInput['formFiles'],
): Record<string, unknown> {
  const byField = new Map<string, unknown[]>();
  for (const { field, ...file } of formFiles) {
    byField.set(field, [...(byField.get(field) ?? []), files.add(file, field)]);
  }
  return Object.fromEntries(
    [...byField].map(([field, all]) => [field, all.length === 1 ? all[0] : all]),
  );
}
