import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';

import { isRecord } from '../../json.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const validators = new Map<string, ValidateFunction>();

/** Returns whether a JSON value fits the schema of an automation. */
export function fitsSchema(value: unknown, schema: unknown): boolean {
  if (!isRecord(schema)) return schema !== false;
  // By its text, because each world has its own copies of the same few schemas.
  const text = JSON.stringify(schema);
  const validate = validators.get(text) ?? ajv.compile(schema);
  validators.set(text, validate);
  return validate(value);
}
