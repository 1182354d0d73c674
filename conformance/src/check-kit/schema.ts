import type { JsonSchema } from '@hookproof/spec/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';

import { contract } from '../http/contract.ts';
import { schemaFaults } from '../http/schema-faults.ts';

const DOCUMENT_ID = 'contract';

// Other checks judge formats: the contract says ISO 8601, which is wider than `date-time`.
// It stops at the first error: a list of a million wrong entries would have millions of them.
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const compiled = new Map<string, ValidateFunction>();

/** A schema of the contract by name, as the base of a narrower one. */
export function contractSchema(name: string): JsonSchema {
  const schema = contract().components.schemas[name];
  if (schema === undefined) throw new TypeError(`the contract has no schema ${name}`);
  return schema;
}

/** How a value differs from the schema of this name; null if it does not. `subject`: what the value is. */
export function contractFaults(name: string, value: unknown, subject?: string): string | null {
  return schemaFaults(validator(name), value, subject);
}

/** A validator of a schema of the suite, which may refer to schemas of the contract. */
export function partSchema(schema: JsonSchema): (value: unknown) => string | null {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(absolute(schema));
    return schemaFaults(validate, value);
  };
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
    const { components } = contract();
    ajv.addSchema({ $id: DOCUMENT_ID, components: { schemas: components.schemas } });
  }
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components', `"${DOCUMENT_ID}#/components`),
  );
}
