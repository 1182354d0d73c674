import { invalidValue } from '../../errors.ts';
import { fieldPath } from '../../json.ts';

/** The members of which an object that refers to a file has exactly one. */
const KINDS = ['$fileId', '$inline', '$file'] as const;

/** A file that the input of a run refers to. */
export interface FileReference {
  readonly kind: (typeof KINDS)[number];
  readonly value: unknown;
  /** The path of the reference in the request, such as `input.doc.$fileId`. */
  readonly path: string;
  /** The field of the input that contains the reference, such as `doc`. */
  readonly field: string;
}

/**
 * Returns a JSON value with each file reference replaced, and what contains none unchanged. An object is a
 * reference only if its `$` member is its only one.
 *
 * @param steps - the path of the value in the request. Changed while the value is read, because a copy for each
 * value would cost the square of the input
 * @param field - the field of the input with the value
 */
function replaceReferences(
  value: unknown,
  steps: string[],
  field: string,
  replace: (reference: FileReference) => unknown,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const kind = kindOf(value);
  if (kind !== undefined) {
    const path = pathOf([...steps, kind]);
    return replace({ kind, value: Reflect.get(value, kind), path, field });
  }
  return mapMembers(value, (item, name) => {
    steps.push(name);
    const replaced = replaceReferences(item, steps, field, replace);
    steps.pop();
    return replaced;
  });
}

/** Returns an array or object with other members; itself if all are the same, because large ones cost a copy. */
function mapMembers<T extends object>(
  value: T,
  map: (item: unknown, name: string) => unknown,
): T | unknown[] | Record<string, unknown> {
  const entries: [string, unknown][] = Object.entries(value);
  const changed = new Map<string, unknown>();
  for (const [name, item] of entries) {
    const mapped = map(item, name);
    if (mapped !== item) changed.set(name, mapped);
  }
  if (changed.size === 0) return value;
  const mapped = entries.map(([name, item]): [string, unknown] => [
    name,
    changed.has(name) ? changed.get(name) : item,
  ]);
  return Array.isArray(value) ? mapped.map(([, item]) => item) : Object.fromEntries(mapped);
}

function kindOf(value: object): FileReference['kind'] | undefined {
  const [name, ...others] = Object.keys(value);
  return others.length === 0 ? KINDS.find((kind) => kind === name) : undefined;
}

function pathOf(steps: readonly string[]): string {
  return fieldPath(
    steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
  );
}

/**
 * Returns the fields of an input with each file reference replaced; itself without any.
 *
 * @param name - the member of the request with the fields
 */
export function replaceInFields(
  fields: object,
  name: 'input' | 'files',
  replace: (reference: FileReference) => unknown,
): object {
  const kind = name === 'input' ? kindOf(fields) : undefined;
  if (kind !== undefined) {
    const path = pathOf([name, kind]);
    return Object.assign(
      {},
      replace({ kind, value: Reflect.get(fields, kind), path, field: name }),
    );
  }
  return mapMembers(fields, (value, field) => {
    if (name === 'files') refuseOtherValues(field, value);
    return replaceReferences(value, [name, field], field, replace);
  });
}

function refuseOtherValues(field: string, value: unknown): void {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.every((item) => typeof item === 'object' && item !== null && kindOf(item))) return;
  throw invalidValue(
    pathOf(['files', field]),
    'must be a file reference or an array of file references',
    'A file reference has one member: $fileId or $inline.',
  );
}
