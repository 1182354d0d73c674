import { badRequest } from '../http/api-error.ts';
import { fieldPath } from '../http/schema.ts';

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
 * Returns a JSON value with each file reference replaced. An object is a reference only if its `$` member
 * is its only one.
 *
 * @param steps - the path of the value in the request
 * @param field - the field of the input with the value
 */
export function replaceReferences(
  value: unknown,
  steps: readonly string[],
  field: string,
  replace: (reference: FileReference) => unknown,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const kind = kindOf(value);
  if (kind !== undefined) {
    const path = pathOf([...steps, kind]);
    return replace({ kind, value: Reflect.get(value, kind), path, field });
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      replaceReferences(item, [...steps, String(index)], field, replace),
    );
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, unknown]) => [
      name,
      replaceReferences(item, [...steps, name], field, replace),
    ]),
  );
}

function kindOf(value: object): FileReference['kind'] | undefined {
  const [name, ...others] = Object.keys(value);
  return others.length === 0 ? KINDS.find((one) => one === name) : undefined;
}

function pathOf(steps: readonly string[]): string {
  return fieldPath(
    steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
  );
}

/**
 * Returns the fields of an input with each file reference replaced.
 *
 * @param name - the member of the request with the fields
 */
export function replaceInFields(
  fields: object,
  name: 'input' | 'files',
  replace: (reference: FileReference) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]: [string, unknown]) => {
      if (name === 'files') refuseOtherValues(field, value);
      return [field, replaceReferences(value, [name, field], field, replace)];
    }),
  );
}

function refuseOtherValues(field: string, value: unknown): void {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.every((one) => typeof one === 'object' && one !== null && kindOf(one))) return;
  throw badRequest(
    'invalid_value',
    pathOf(['files', field]),
    'must be a file reference or an array of file references',
    'A file reference has one member: $fileId or $inline.',
  );
}
