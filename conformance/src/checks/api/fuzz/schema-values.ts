import type { JsonSchema } from '@hookproof/spec/openapi';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import { invalidValues, resolve } from '../operations/invalid-values.ts';

/** Values that match a schema of a request. */
export function matching(given: JsonSchema): Arbitrary<unknown> {
  const schema = resolve(given);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const type = typeOf(schema);
  if (type === 'string') {
    return fc.string({ unit: 'grapheme', minLength: schema.minLength ?? 0, maxLength: 60 });
  }
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer' || type === 'number') {
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
    return fc.maxSafeInteger().map((value) => Math.min(maximum, Math.max(minimum, value)));
  }
  if (type === 'array') return fc.array(matching(schema.items ?? {}), { maxLength: 3 });
  if (type === 'object')
    return fc.record(propertiesOf(schema), { requiredKeys: [...(schema.required ?? [])] });
  return fc.jsonValue({ maxDepth: 2 });
}

/** Values that the contract refuses. Null is left out: the contract often leaves it open. */
export function breaking(schema: JsonSchema): Arbitrary<unknown> {
  return fc.constantFrom(...invalidValues(schema).map(({ value }) => value));
}

/** The arbitraries of an object's properties. */
export function propertiesOf(schema: JsonSchema): Record<string, Arbitrary<unknown>> {
  const entries = Object.entries(resolve(schema).properties ?? {});
  return Object.fromEntries(
    entries.flatMap(([name, property]) => (property === false ? [] : [[name, matching(property)]])),
  );
}

/** The first type that is not null. */
function typeOf({ type }: JsonSchema): string | undefined {
  return typeof type === 'string' ? type : type?.find((one) => one !== 'null');
}
