import type { JsonSchema } from '@hookproof/spec/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';

import { contract } from '../http/contract.ts';
import type { ApiResponse } from '../clients/api-client.ts';
import { violation } from './expect.ts';

const DOCUMENT_ID = 'contract';

// Other checks judge formats: the contract says ISO 8601, which is wider than `date-time`.
const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
const compiled = new Map<string, ValidateFunction>();

/** A schema of the contract by name, as the base of a narrower one. */
export function contractSchema(name: string): JsonSchema {
  const schema = contract().components.schemas[name];
  if (schema === undefined) throw new TypeError(`the contract has no schema ${name}`);
  return schema;
}

/** The errors of a value by the schema of this name; null without any. */
export function schemaFaults(name: string, value: unknown): string | null {
  return faults(validator(name), value);
}

/** Throws a violation that shows `response` unless `value` matches the schema of this name. */
export function expectSchema(name: string, value: unknown, response: ApiResponse): void {
  const found = schemaFaults(name, value);
  if (found !== null)
    throw violation('the documented members, each with its type', found, response);
}

/** A validator of a schema of the suite, which may refer to schemas of the contract. */
export function partSchema(schema: JsonSchema): (value: unknown) => string | null {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(absolute(schema));
    return faults(validate, value);
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

function faults(validate: ValidateFunction, value: unknown): string | null {
  if (validate(value)) return null;
  const shown = (validate.errors ?? []).slice(0, 4).map(describe);
  return [...new Set(shown)].join('; ');
}

function describe(error: ErrorObject): string {
  const pointer = error.instancePath === '' ? 'the value' : error.instancePath;
  return `${pointer} ${error.message ?? 'does not match'}`;
}
