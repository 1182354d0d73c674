import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';

const MAX_SHOWN = 4;

/**
 * How a value differs from a schema, with at most four differences, to stand after "got": `/items/0 without name`. Null
 * for none. `subject`: what the value is.
 */
export function schemaFaults(
  validate: ValidateFunction,
  value: unknown,
  subject = 'a body',
): string | null {
  if (validate(value)) return null;
  const shown = (validate.errors ?? []).slice(0, MAX_SHOWN).map((error) => faultOf(error, subject));
  return [...new Set(shown)].join('; ');
}

function faultOf({ keyword, params, instancePath, message }: ErrorObject, subject: string): string {
  const what = instancePath === '' ? subject : instancePath;
  const given: Readonly<Record<string, unknown>> = params;
  if (keyword === 'required') return `${what} without ${String(given['missingProperty'])}`;
  if (keyword === 'additionalProperties') {
    return `${what} with the unknown member ${String(given['additionalProperty'])}`;
  }
  if (keyword === 'type')
    return `${what} that is not of type ${[given['type']].flat().join(' or ')}`;
  if (keyword === 'enum') return `${what} that is not one of ${list(given['allowedValues'])}`;
  return `${what}, which ${message ?? 'does not match'}`;
}

function list(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(', ') : '';
}
