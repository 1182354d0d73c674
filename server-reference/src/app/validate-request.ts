import type { JsonSchema, OpenApiDocument, Operation } from '@hookproof/spec/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Middleware } from 'koa';

import { ApiError, ROOT, issue } from './api-error.ts';
import type { ApiIssue } from './api-error.ts';
import type { AuthenticatedState } from './authenticate.ts';
import { readBody } from './read-body.ts';
import { readQuery } from './read-query.ts';
import { schemaIssues } from './schema-issues.ts';

/** What is known once a request has passed its schemas. */
export interface ValidatedState extends AuthenticatedState {
  query: Readonly<Record<string, unknown>>;
  /** Undefined for an operation without a body. */
  body: unknown;
}

/** Makes, per operation, the middleware that holds requests against the contract. */
export function requestValidation(
  document: OpenApiDocument,
  bodyLimitBytes: number,
): (operation: Operation) => Middleware<ValidatedState> {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    // The document has keywords of OpenAPI, and its own tests: checking it again would triple the start.
    strict: false,
    meta: false,
    validateSchema: false,
    // No format stands in a schema of a request.
    validateFormats: false,
  });
  ajv.addSchema(document, 'contract', false, false);

  return (operation) => {
    const parameters = operation.parameters.filter((one) => one.in === 'query');
    const checkQuery = ajv.compile({
      type: 'object',
      properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
    });
    const bodySchema = operation.requestBody?.content['application/json']?.schema;
    const checkBody =
      bodySchema === undefined ? null : ajv.compile(pointingInto('contract', bodySchema));

    return async function validation(ctx, next) {
      const query = readQuery(ctx.querystring, parameters);
      refuse([...query.issues, ...check(checkQuery, query.values)]);
      ctx.state.query = query.values;
      if (checkBody !== null) {
        ctx.state.body = await readBody(ctx.req, ctx.res, bodyLimitBytes);
        if (ctx.state.body === undefined)
          refuse([issue('invalid_value', ROOT, 'a JSON body is expected')]);
        refuse(check(checkBody, ctx.state.body));
      }
      await next();
    };
  };
}

function pointingInto(documentId: string, schema: JsonSchema): Record<string, unknown> {
  const reference = schema['$ref'];
  return typeof reference === 'string' ? { $ref: documentId + reference } : { ...schema };
}

function check(validate: ValidateFunction, value: unknown): ApiIssue[] {
  return validate(value) ? [] : schemaIssues(validate.errors ?? []);
}

function refuse(issues: readonly ApiIssue[]): void {
  if (issues.length === 0) return;
  const paging = issues.some(({ field }) => field === 'limit' || field === 'offset');
  throw new ApiError(
    400,
    issues,
    paging
      ? { hint: 'A page holds 1 to 100 entries (limit) and begins after offset of them.' }
      : {},
  );
}
