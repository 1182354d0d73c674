import type { JsonSchema } from '@hookproof/spec/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';

import { contract } from '../http/contract.ts';
import { isRecord, membersOf } from '../http/message.ts';
import { schemaFaults } from '../http/schema-faults.ts';

const DOCUMENT_ID = 'contract';

// Other checks judge formats: the contract says ISO 8601, which is wider than `date-time`.
// It stops at the first error: a list of a million wrong entries would have millions of them.
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const compiled = new Map<string, ValidateFunction>();

/**
 * Objects whose table marks some fields as optional and none as required. That the others are present is a reading of it,
 * and advice: only what identifies the object is required.
 */
const UNMARKED: ReadonlySet<string> = new Set(['File', 'Template']);
const IDENTITY = 'id';

/** A schema of the contract by name, as the base of a narrower one. */
export function contractSchema(name: string): JsonSchema {
  const schema = contract().components.schemas[name];
  if (schema === undefined) throw new TypeError(`the contract has no schema ${name}`);
  return schema;
}

/** How a value differs from the schema of this name; null if it does not. `subject`: what the value is. */
export function contractFaults(name: string, value: unknown, subject?: string): string | null {
  const given = withoutOpenNulls({ $ref: `#/components/schemas/${name}` }, value);
  return schemaFaults(validator(name), given, subject);
}

/** The fields that an object of this kind should have, and does not: absent or null. */
export function missingFields(name: 'File' | 'Template', value: unknown): readonly string[] {
  const fields = membersOf(value);
  return (contractSchema(name).required ?? []).filter((field) => (fields[field] ?? null) === null);
}

/** A validator of a schema of the suite, which may refer to schemas of the contract. */
export function partSchema(schema: JsonSchema): (value: unknown) => string | null {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(absolute(schema));
    return schemaFaults(validate, withoutOpenNulls(schema, value));
  };
}

/**
 * The value without its members that are null and may be absent: whether a value that is not there is null or absent is
 * open where a table does not mark it.
 */
function withoutOpenNulls(schema: JsonSchema, value: unknown): unknown {
  const { items, properties = {}, required = [] } = resolved(schema);
  if (Array.isArray(value)) {
    return items === undefined ? value : value.map((item) => withoutOpenNulls(items, item));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (field === undefined || field === false) return [[name, member]];
      if (member === null && !required.includes(name)) return [];
      return [[name, withoutOpenNulls(field, member)]];
    }),
  );
}

/** The schema that a reference names, as values are judged by it; any other schema unchanged. */
function resolved(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : judgedSchema(name, contractSchema(name));
}

function judgedSchema(name: string, schema: JsonSchema): JsonSchema {
  return UNMARKED.has(name) ? { ...schema, required: [IDENTITY] } : schema;
}

function validator(name: string): ValidateFunction {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const validate = ajv.compile(absolute({ $ref: `#/components/schemas/${name}` }));
  compiled.set(name, validate);
  return validate;
}

/** Turns references within the document into references to the registered document. */
function absolute(schema: JsonSchema): JsonSchema {
  if (ajv.getSchema(DOCUMENT_ID) === undefined) {
    const schemas = Object.fromEntries(
      Object.entries(contract().components.schemas).map(([name, one]) => [
        name,
        judgedSchema(name, one),
      ]),
    );
    ajv.addSchema({ $id: DOCUMENT_ID, components: { schemas } });
  }
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components', `"${DOCUMENT_ID}#/components`),
  );
}
