import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';

const MAX_SHOWN = 4;

/** How a value differs from a schema, with at most four differences; null for none. `subject`: what the value is. */
export function schemaFaults(
  validate: ValidateFunction,
  value: unknown,
  subject = 'the value',
): string | null {
  if (validate(value)) return null;
  const shown = (validate.errors ?? [])
    .slice(0, MAX_SHOWN)
    .map(
      ({ instancePath, message = 'does not match' }: ErrorObject) =>
        `${instancePath === '' ? subject : instancePath} ${message}`,
    );
  return [...new Set(shown)].join('; ');
}
