import type { ErrorObject } from 'ajv/dist/2020.js';

import { issue } from './api-error.ts';
import type { ApiIssue } from './api-error.ts';
import { fieldPath } from './field-path.ts';
import { formsOf, keepMeantForms } from './meant-form.ts';

/** A long list of the same mistake helps nobody. */
const MOST_ISSUES = 20;

/** Says in the envelope's terms what a schema found wrong, once per field. */
export function schemaIssues(errors: readonly ErrorObject[]): ApiIssue[] {
  const issues = new Map<string, ApiIssue>();
  for (const error of keepMeantForms(errors)) {
    const { missingProperty, additionalProperty, tag } = error.params;
    const property: unknown = missingProperty ?? additionalProperty ?? tag;
    const field =
      typeof property === 'string'
        ? fieldPath(error.instancePath, property)
        : fieldPath(error.instancePath);
    // A value of the wrong type is not asked for its range as well.
    if (!issues.has(field)) issues.set(field, issue('invalid_value', field, explain(error)));
    if (issues.size === MOST_ISSUES) break;
  }
  return [...issues.values()];
}

function explain({ keyword, params, schema, data, message }: ErrorObject): string {
  if (keyword === 'discriminator') return explainTag(params['tagValue'], schema);
  const actual = shorten(data);
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a known field';
    case 'oneOf':
      return `must have the fields of exactly one of ${list(formsOf(schema).map(nameOf))}`;
    case 'false schema':
      return 'must not be given here';
    case 'type':
      return `must be ${[params['type']].flat().join(' or ')}, but is ${actual}`;
    case 'enum':
      return `must be one of ${list(params['allowedValues'])}, but is ${actual}`;
    case 'minimum':
      return `must be at least ${String(params['limit'])}, but is ${actual}`;
    case 'maximum':
      return `must be at most ${String(params['limit'])}, but is ${actual}`;
    case 'const':
      return `must be ${String(params['allowedValue'])}, but is ${actual}`;
    case 'minLength':
    case 'minItems':
      return 'must not be empty';
    default:
      return message ?? 'is not valid';
  }
}

function explainTag(actual: unknown, schema: unknown): string {
  if (actual === undefined) return 'is required';
  const known = typeof schema === 'object' && schema !== null && 'values' in schema;
  return `must be one of ${list(known ? schema.values : [])}, but is ${shorten(actual)}`;
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function list(values: unknown): string {
  return Array.isArray(values) ? values.join(', ') : String(values);
}

function shorten(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}
