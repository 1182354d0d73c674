import type { Operation } from '@hookproof/spec/openapi';
import type { Middleware } from 'koa';

import { ApiError, ROOT, issue } from './api-error.ts';
import type { ApiIssue } from './api-error.ts';
import type { AuthenticatedState } from './authenticate.ts';
import { passOverBody, readBody } from './read-body.ts';
import { readQuery } from './read-query.ts';
import type { SchemaChecks } from './schema-checks.ts';

/** What is known once a request has passed its schemas. */
export interface ValidatedState extends AuthenticatedState {
  query: Readonly<Record<string, unknown>>;
  /** Undefined for an operation without a body. */
  body: unknown;
}

/** Holds the query and the body of a request against the contract. */
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
    const mistaken = parameters.length === 0 ? [] : await checkQuery(query.values);
    refuse([...query.issues, ...mistaken]);
    ctx.state.query = query.values;
    if (checkBody !== null) {
      ctx.state.body = await readBody(ctx.req, ctx.res, bodyLimitBytes);
      if (ctx.state.body === undefined)
        refuse([issue('invalid_value', ROOT, 'a JSON body is expected')]);
      refuse(await checkBody(ctx.state.body));
    } else if (operation.requestBody === undefined) {
      await passOverBody(ctx.req, bodyLimitBytes);
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
    paging
      ? { hint: 'A page holds 1 to 100 entries (limit) and begins after offset of them.' }
      : {},
  );
}
