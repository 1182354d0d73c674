import type { JsonSchema, Operation } from '@hookproof/spec/openapi';
import { expect } from 'vitest';

/** `path id! string`: `!` required, `?` name chosen by the reference server, `/` can contain slashes. */
export function describeParameter(parameter: Operation['parameters'][number]): string {
  const { name, in: place, required, schema } = parameter;
  const marks = [
    required ? '!' : '',
    parameter['x-reference'] ? '?' : '',
    parameter['x-slash-delimited'] ? '/' : '',
  ].join('');
  const { $ref, type, minimum, maximum, minLength, ...rest } = schema;
  expect(Object.keys(rest)).toEqual(
    'x-reference-constraints' in rest ? ['x-reference-constraints'] : [],
  );
  const range = minimum === undefined && maximum === undefined ? '' : ` ${minimum}..${maximum}`;
  const bounds = minLength === undefined ? range : ` ${minLength}+`;
  return `${place} ${name}${marks} ${$ref === undefined ? String(type) : describeSchema(schema)}${bounds}`;
}

function describeSchema(schema: JsonSchema): string {
  const { $ref, anyOf, items, properties, required = [], type } = schema;
  if ($ref !== undefined) return $ref.replace('#/components/schemas/', '');
  if (items !== undefined) return `${describeSchema(items)}[]`;
  if (anyOf !== undefined) return anyOf.map(describeSchema).join(' or ');
  if (properties === undefined) return String(type ?? 'anything');
  const fields = Object.entries(properties).map(
    ([key, value]) => `${key}${required.includes(key) ? '!' : ''}: ${describeSchema(value || {})}`,
  );
  return `{${fields.join(', ')}}`;
}

/** Returns the schema of a JSON body, or the media type of another body; of several, in their order. */
export function describeContent(content: Operation['responses'][string]['content']): string {
  if (content === undefined) return 'no body';
  return Object.entries(content).map(describeMedia).join(' or ');
}

function describeMedia([mediaType, { schema = {} }]: [string, { schema?: JsonSchema }]): string {
  switch (mediaType) {
    case '*/*':
    case 'application/octet-stream':
    case 'application/x-ndjson':
      return 'bytes';
    case 'application/zip':
      return 'archive';
    case 'multipart/form-data':
      return `form ${describeSchema(schema)}`;
    default:
      expect(mediaType).toBe('application/json');
      return describeSchema(schema);
  }
}

/** Returns every 2xx and 3xx response with its body. */
export function describeSuccess({ responses }: Operation): string {
  return Object.entries(responses)
    .filter(([status]) => /^[23]/.test(status))
    .map(([status, { content }]) => `${status} ${describeContent(content)}`)
    .join(', ');
}
