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
  const { $ref, type, minimum, maximum, ...rest } = schema;
  expect(rest).toEqual({});
  const bounds = minimum === undefined && maximum === undefined ? '' : ` ${minimum}..${maximum}`;
  return `${place} ${name}${marks} ${$ref === undefined ? String(type) : describeSchema(schema)}${bounds}`;
}

function describeSchema(schema: JsonSchema): string {
  const { $ref, anyOf, properties, required = [], type } = schema;
  if ($ref !== undefined) return $ref.replace('#/components/schemas/', '');
  if (anyOf !== undefined) return anyOf.map(describeSchema).join(' or ');
  if (properties === undefined) return String(type ?? 'anything');
  const fields = Object.entries(properties).map(
    ([key, value]) => `${key}${required.includes(key) ? '!' : ''}: ${describeSchema(value || {})}`,
  );
  return `{${fields.join(', ')}}`;
}

/** Returns the schema of a JSON body, or the media type of another body. */
export function describeContent(content: Operation['responses'][string]['content']): string {
  if (content === undefined) return 'no body';
  const [[mediaType, media] = ['', {}], ...others] = Object.entries(content);
  expect(others).toEqual([]);
  if (mediaType === '*/*') return 'bytes';
  const form = mediaType === 'multipart/form-data' ? 'form ' : '';
  if (form === '') expect(mediaType).toBe('application/json');
  return form + describeSchema(media.schema ?? {});
}

/** Returns every 2xx and 3xx response with its body. */
export function describeSuccess({ responses }: Operation): string {
  return Object.entries(responses)
    .filter(([status]) => /^[23]/.test(status))
    .map(([status, { content }]) => `${status} ${describeContent(content)}`)
    .join(', ');
}
