import type { JsonSchema, OpenApiDocument } from '@hookproof/spec/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';

import { fieldPath, shorten } from '../json.ts';
import { issue } from '../errors.ts';
import type { ApiIssue } from '../errors.ts';

/** Validates a value against a schema. Returns the issues; none for a valid value. */
export type SchemaCheck = (value: unknown) => readonly ApiIssue[];

/** Creates the check of a schema. Its references point into one OpenAPI document. */
export type SchemaChecks = (schema: JsonSchema) => SchemaCheck;

/**
 * Creates schema checks for an OpenAPI document. Each schema is compiled at its first use, because compiling all
 * of them would double the start time.
 */
export function schemaChecks(document: Pick<OpenApiDocument, 'components'>): SchemaChecks {
  let ajv: Ajv2020 | undefined;
  return (schema) => {
    let validate: ValidateFunction | undefined;
    return (value) => {
      ajv ??= createAjv(document);
      validate ??= ajv.compile(pointingIntoDocument(schema));
      return validate(value) ? [] : schemaIssues(validate.errors ?? []);
    };
  };
}

const DOCUMENT_ID = 'document';

function createAjv(document: object): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    discriminator: true,
    // The document uses OpenAPI keywords and has its own tests. No request schema has a `format`.
    strict: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
  });
  return ajv.addSchema(withoutMappings(document), DOCUMENT_ID, false, false);
}

function pointingIntoDocument(schema: JsonSchema): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema), (name, value: unknown) =>
    name === '$ref' && typeof value === 'string' ? DOCUMENT_ID + value : value,
  );
}

/** Ajv does not support `mapping` of a discriminator; it selects the schema by its constants. */
function withoutMappings(document: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(document), (name, value: unknown) =>
    name === 'discriminator' && isDiscriminator(value)
      ? { propertyName: value.propertyName, values: Object.keys(value.mapping) }
      : value,
  );
}

function isDiscriminator(value: unknown): value is NonNullable<JsonSchema['discriminator']> {
  return typeof value === 'object' && value !== null && 'mapping' in value;
}

/** Limits the response to an array with many invalid entries. */
const MAX_ISSUES = 20;

/** Translates validator errors into issues of the envelope, one per field. */
function schemaIssues(errors: readonly ErrorObject[]): ApiIssue[] {
  const choices = errors.filter(({ keyword }) => keyword === 'oneOf').map(fieldOf);
  const issues = new Map<string, ApiIssue>();
  for (const error of errors) {
    const field = fieldOf(error);
    const isChoice = error.keyword === 'oneOf';
    if (!isChoice && choices.includes(field)) continue;
    const message = isChoice ? explainChoice(error, errors) : explain(error);
    // A value of the wrong type gets no second issue about its range.
    if (!issues.has(field)) issues.set(field, issue('invalid_value', field, message));
    if (issues.size === MAX_ISSUES) break;
  }
  // What is wrong inside of a value says more than that it is none of several forms.
  for (const field of choices) {
    const isInside = (other: string): boolean =>
      other.startsWith(field) && /^[.[]/.test(other.slice(field.length));
    if ([...issues.keys()].some(isInside)) issues.delete(field);
  }
  return [...issues.values()];
}

function fieldOf({ instancePath, params }: ErrorObject): string {
  const { missingProperty, additionalProperty, tag } = params;
  const property: unknown = missingProperty ?? additionalProperty ?? tag;
  return typeof property === 'string' ? fieldPath(instancePath, property) : fieldPath(instancePath);
}

/** Names the types and constants of which a value is none. */
function explainChoice({ instancePath, data }: ErrorObject, all: readonly ErrorObject[]): string {
  const forms = all
    .filter((error) => error.instancePath === instancePath)
    .flatMap(({ params }): unknown => params['allowedValue'] ?? params['type'] ?? []);
  return `must be ${forms.map(String).join(' or ')}, got ${shorten(data)}`;
}

function explain({ keyword, params, schema, parentSchema, data, message }: ErrorObject): string {
  if (keyword === 'discriminator') return explainTag(params['tagValue'], schema);
  const actual = shorten(data);
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a known field';
    case 'false schema':
      return 'must not be given here';
    case 'type':
      return `must be ${[params['type']].flat().join(' or ')}, got ${actual}`;
    case 'enum':
      return `must be one of ${list(params['allowedValues'])}, got ${actual}`;
    case 'minimum':
    case 'maximum':
      return `must be ${range(parentSchema ?? {})}, got ${actual}`;
    case 'const':
      return `must be ${String(params['allowedValue'])}, got ${actual}`;
    case 'minLength':
    case 'minItems':
      return 'must not be empty';
    case 'maxLength':
      return `must have at most ${params['limit']} characters, got ${characters(String(data))}`;
    case 'maxItems':
      return `must have at most ${params['limit']} entries, got ${[data].flat(1).length}`;
    case 'pattern':
      return `must match ${params['pattern']}, got ${actual}`;
    default:
      return message ?? 'is not valid';
  }
}

/** Counts as the validator does: half of a surrogate pair is no character of its own. */
function characters(text: string): number {
  return Array.from(text).length;
}

function range({ type, minimum, maximum }: Readonly<Record<string, unknown>>): string {
  const from = minimum === undefined ? '' : ` from ${Number(minimum)}`;
  const to = maximum === undefined ? '' : ` to ${Number(maximum)}`;
  return `${[type].flat().includes('integer') ? 'an integer' : 'a number'}${from}${to}`;
}

function explainTag(actual: unknown, schema: unknown): string {
  if (actual === undefined) return 'is required';
  const known = typeof schema === 'object' && schema !== null && 'values' in schema;
  return `must be one of ${list(known ? schema.values : [])}, got ${shorten(actual)}`;
}

function list(values: unknown): string {
  return Array.isArray(values) ? values.map(String).join(', ') : String(values);
}
