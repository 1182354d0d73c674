import type { JsonSchema, OpenApiDocument } from '@hookproof/spec/openapi';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';

import type { ApiIssue } from './api-error.ts';
import { schemaIssues } from './schema-issues.ts';

/** Holds a value against a schema; resolves to what is wrong with it. */
export type SchemaCheck = (value: unknown) => Promise<readonly ApiIssue[]>;

/** Makes the check of a schema; a reference in it points into an OpenAPI document. */
export type SchemaChecks = (schema: JsonSchema) => SchemaCheck;

/**
 * Loads the validator and compiles a schema when they are first needed: done at the start, the two
 * would double its time.
 */
export function schemaChecks(document: Pick<OpenApiDocument, 'components'>): SchemaChecks {
  let loading: Promise<Ajv2020> | undefined;
  return (schema) => {
    let compiling: Promise<ValidateFunction> | undefined;
    return async (value) => {
      loading ??= loadAjv(document);
      compiling ??= loading.then((ajv) => ajv.compile(pointingIntoDocument(schema)));
      const validate = await compiling;
      return validate(value) ? [] : schemaIssues(validate.errors ?? []);
    };
  };
}

const DOCUMENT_ID = 'document';

async function loadAjv(document: object): Promise<Ajv2020> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    discriminator: true,
    // The document has keywords of OpenAPI, and its own tests; no format stands in a schema of a request.
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

/** The validator finds the schema of a discriminator by its constants; of a mapping it knows nothing. */
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
