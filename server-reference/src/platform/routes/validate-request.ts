import type { Operation, ParameterObject } from '@hookproof/spec/openapi';
import type { Middleware } from 'koa';

import type { AuthenticatedState } from '../access/api-key.ts';
import { ApiError, issue, ROOT } from '../http/api-error.ts';
import type { ApiIssue } from '../http/api-error.ts';
import { discardBody, readBody } from '../http/body.ts';
import type { SchemaChecks } from '../http/schema.ts';

/** The query parameters of an operation, parsed by the types of their schemas. */
export interface Query {
  readonly values: Readonly<Record<string, string | number | boolean>>;
  readonly issues: readonly ApiIssue[];
}

const INTEGER = /^(0|-?[1-9][0-9]*)$/;

/** Parses a query. Unknown parameters are ignored. */
export function readQuery(text: string, parameters: readonly ParameterObject[]): Query {
  const given = new URLSearchParams(text);
  const values: Record<string, string | number | boolean> = {};
  const issues: ApiIssue[] = [];
  for (const { name, schema } of parameters) {
    const all = given.getAll(name);
    const [value] = all;
    if (value === undefined) continue;
    const read = all.length === 1 ? readValue(value, schema['type']) : undefined;
    if (read !== undefined) values[name] = read;
    else if (all.length > 1) issues.push(issue('invalid_value', name, 'must be sent only once'));
    else
      issues.push(issue('invalid_value', name, EXPECTED[String(schema['type'])] ?? 'is not valid'));
  }
  return { values, issues };
}

const EXPECTED: Readonly<Record<string, string>> = {
  integer: 'must be an integer in decimal digits',
  boolean: 'must be true or false',
};

function readValue(value: string, type: unknown): string | number | boolean | undefined {
  if (type === 'integer') return INTEGER.test(value) ? Number(value) : undefined;
  if (type === 'boolean') return value === 'true' || (value === 'false' ? false : undefined);
  return value;
}

/** The state of a request that its schemas accept. */
export interface ValidatedState extends AuthenticatedState {
  query: Readonly<Record<string, unknown>>;
  /** Undefined for an operation without a body. */
  body: unknown;
}

/** Validates the query and body of a request against the contract. Responds 400 to an invalid request. */
export function validateRequest(
  operation: Operation,
  checkOf: SchemaChecks,
  bodyLimitBytes: number,
): Middleware<ValidatedState> {
  const parameters = operation.parameters.filter((one) => one.in === 'query');
  const checkQuery = checkOf({
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  });
  const bodySchema = operation.requestBody?.content['application/json']?.schema;
  const checkBody = bodySchema === undefined ? null : checkOf(bodySchema);

  return async function validation(ctx, next) {
    const query = readQuery(ctx.querystring, parameters);
    const schemaIssues = parameters.length === 0 ? [] : await checkQuery(query.values);
    refuse([...query.issues, ...schemaIssues]);
    ctx.state.query = query.values;
    if (checkBody !== null) {
      ctx.state.body = await readBody(ctx.req, ctx.res, bodyLimitBytes);
      if (ctx.state.body === undefined)
        refuse([issue('invalid_value', ROOT, 'a JSON body is required')]);
      refuse(await checkBody(ctx.state.body));
    } else if (operation.requestBody === undefined) {
      await discardBody(ctx.req, bodyLimitBytes);
    }
    await next();
  };
}

function refuse(issues: readonly ApiIssue[]): void {
  if (issues.length === 0) return;
  const paging = issues.some(({ field }) => field === 'limit' || field === 'offset');
  throw new ApiError(
    400,
    issues,
    paging ? { hint: 'limit is from 1 to 100, and offset is the number of entries to skip.' } : {},
  );
}
