import { LargeValue, valueOf } from '../state/large-value.ts';
import type { Kept } from '../state/large-value.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The last verdict on each large value, so that a list need not read them again. */
const verdicts = new WeakMap<LargeValue, { readonly schema: unknown; readonly fits: boolean }>();

/** Returns whether a value of a record fits a schema, as {@link fitsSchema} does. */
export function keptFitsSchema(kept: Kept, schema: unknown): boolean {
  if (!(kept instanceof LargeValue)) return fitsSchema(kept, schema);
  const known = verdicts.get(kept);
  if (known?.schema === schema) return known?.fits ?? false;
  const fits = fitsSchema(valueOf(kept), schema);
  verdicts.set(kept, { schema, fits });
  return fits;
}

/**
 * Returns whether a JSON value fits the schema of an automation. The keywords are `type`, `enum`, `required`,
 * `properties` and `items`; others are ignored.
 */
export function fitsSchema(value: unknown, schema: unknown): boolean {
  if (!isObject(schema)) return schema !== false;
  const { enum: values, items } = schema;
  if (!fitsType(value, schema)) return false;
  if (Array.isArray(values) && !values.includes(value)) return false;
  if (Array.isArray(value)) {
    return items === undefined || value.every((item) => fitsSchema(item, items));
  }
  return !isObject(value) || fitsProperties(value, schema);
}

function fitsType(value: unknown, { type }: Schema): boolean {
  if (type === undefined) return true;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.includes(typeOf(value)) || (Number.isInteger(value) && types.includes('integer'));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function fitsProperties(value: Schema, { properties, required }: Schema): boolean {
  if (Array.isArray(required) && !required.every((name) => Object.hasOwn(value, String(name)))) {
    return false;
  }
  if (!isObject(properties)) return true;
  return Object.entries(properties).every(
    ([name, schema]) => !Object.hasOwn(value, name) || fitsSchema(value[name], schema),
  );
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
