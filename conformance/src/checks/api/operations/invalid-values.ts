import type { JsonSchema } from '@hookproof/spec/openapi';

import { contractSchema } from '../../../check-kit/schema.ts';
import { isRecord } from '../../../http/message.ts';

/** A value that a schema refuses, wrong in one way. */
export interface InvalidValue {
  /** What is wrong: "path is empty". */
  readonly fault: 'type' | 'enum' | 'length' | 'range' | 'missing';
  readonly value: unknown;
}

/** One value of each JSON type. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  string: 'text',
  number: 7,
  boolean: true,
  array: ['text'],
  object: { text: 'text' },
};

/** Every way in which a value breaks a schema of the contract, one at a time. Null is no value, and is never tried. */
export function invalidValues(schema: JsonSchema): readonly InvalidValue[] {
  const resolved = resolve(schema);
  // A number of the samples is an integer too.
  const types = [resolved.type ?? []].flat().map((type) => (type === 'integer' ? 'number' : type));
  const mistyped = Object.entries(SAMPLES)
    .filter(([type]) => types.length > 0 && !types.includes(type))
    .map(([, value]): InvalidValue => ({ fault: 'type', value }));
  return [...mistyped, ...ownFaults(resolved), ...itemFaults(resolved), ...fieldFaults(resolved)];
}

/** A value that fits a schema. */
function validValue(schema: JsonSchema): unknown {
  const { type, enum: values, items, properties = {} } = resolve(schema);
  if (values !== undefined) return values[0];
  if (type === 'array') return items === undefined ? [] : [validValue(items)];
  if (type !== 'object') return 'suite.text';
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) =>
      field === false ? [] : [[name, validValue(field)]],
    ),
  );
}

function ownFaults(schema: JsonSchema): readonly InvalidValue[] {
  const { enum: values, minLength = 0, minimum, maximum } = schema;
  return [
    ...(minimum === undefined ? [] : [{ fault: 'range', value: minimum - 1 } as const]),
    ...(maximum === undefined ? [] : [{ fault: 'range', value: maximum + 1 } as const]),
    ...(values === undefined ? [] : [{ fault: 'enum', value: 'archived' } as const]),
    ...(minLength === 0 ? [] : [{ fault: 'length', value: '' } as const]),
  ];
}

/** In an array, null is an item. */
function itemFaults({ items }: JsonSchema): readonly InvalidValue[] {
  if (items === undefined) return [];
  const nulls: readonly InvalidValue[] = [{ fault: 'type', value: null }];
  return [...nulls, ...invalidValues(items)].map(({ fault, value }) => ({ fault, value: [value] }));
}

function fieldFaults(schema: JsonSchema): readonly InvalidValue[] {
  const valid = validValue(schema);
  if (!isRecord(valid)) return [];
  const missing = (schema.required ?? []).map((name): InvalidValue => {
    const { [name]: _missing, ...others } = valid;
    return { fault: 'missing', value: others };
  });
  const wrong = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    field === false
      ? []
      : invalidValues(field).map(({ fault, value }) => ({
          fault,
          value: { ...valid, [name]: value },
        })),
  );
  return [...missing, ...wrong];
}

/** The schema that a reference names; any other schema unchanged. */
export function resolve(schema: JsonSchema): JsonSchema {
  return schema.$ref === undefined ? schema : contractSchema(schema.$ref.split('/').at(-1) ?? '');
}

/** The schema of a field of a request body. */
export function fieldSchema(body: string, field: string): JsonSchema {
  const found = contractSchema(body).properties?.[field];
  if (found === undefined || found === false) throw new TypeError(`${body} has no field ${field}`);
  return found;
}
