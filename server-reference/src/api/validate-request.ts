import type { ParameterObject } from '@hookproof/spec/openapi';
import type { Middleware, ParameterizedContext } from 'koa';

import { ApiError, ROOT, issue } from '../errors.ts';
import type { ApiIssue } from '../errors.ts';
import { discardBody, parseBody, readBody } from '../http/body.ts';
import { EXCERPT_BYTES } from '../http/request.ts';
import { createFormReader, isForm } from '../http/read-form.ts';
import type { FormReader } from '../http/read-form.ts';
import type { AuthenticatedState } from './auth/api-key.ts';
import type { JsonChecks, RequestChecks } from './documented-operations.ts';
import type { Services } from './services.ts';

/** The query parameters of an operation, parsed by the types of their schemas. */
export interface Query {
  readonly values: Readonly<Record<string, string | number | boolean>>;
  readonly issues: readonly ApiIssue[];
}

const EMPTY: Query = { values: {}, issues: [] };

const INTEGER = /^(0|-?[1-9][0-9]*)$/;

/**
 * Parses a query. Unknown parameters are ignored, and a number without a value counts as absent. A repeated
 * parameter is joined with commas where it is a list, and refused elsewhere.
 */
export function readQuery(text: string, parameters: readonly ParameterObject[]): Query {
  if (text === '') return EMPTY;
  const given = new URLSearchParams(text);
  const values: Record<string, string | number | boolean> = {};
  const issues: ApiIssue[] = [];
  for (const { name, schema, 'x-comma-separated': isList } of parameters) {
    const all = given.getAll(name);
    const sent = isList === true && all.length > 1 ? [all.join(',')] : all;
    const [value] = sent;
    if (value === undefined || (value === '' && schema.type === 'integer')) continue;
    if (sent.length > 1) issues.push(issue('invalid_value', name, 'must be sent only once'));
    else {
      const read = readValue(value, schema.type);
      if (read !== undefined) values[name] = read;
      else
        issues.push(issue('invalid_value', name, EXPECTED[String(schema.type)] ?? 'is not valid'));
    }
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
  /** Undefined for an operation without a JSON body, and for a form. */
  body: unknown;
  /** Null if the body is not a form. Its parts are validated when it is read. */
  form: FormReader<never> | null;
}

/** Validates the query and body of a request against the contract. Responds 400 to an invalid request. */
export function validateRequest(
  { parameters, query: checkQuery, json, form }: RequestChecks,
  { blobs, settings }: Pick<Services, 'blobs' | 'settings'>,
): Middleware<ValidatedState> {
  const { bodyLimitBytes, uploadLimitBytes } = settings;
  // Without values, nothing else can be wrong.
  const isAnyRequired = parameters.some(({ required }) => required);
  const limits = { fileBytes: uploadLimitBytes, textBytes: bodyLimitBytes };

  return async function bodyAndQuery(ctx, next) {
    const query = readQuery(ctx.querystring, parameters);
    const isChecked = isAnyRequired || Object.keys(query.values).length > 0;
    const schemaIssues = isChecked ? checkQuery(query.values) : [];
    refuse([...query.issues, ...schemaIssues]);
    ctx.state.query = query.values;
    ctx.state.form = null;
    if (form !== null && (json === null || isForm(ctx.req))) {
      const source = { incoming: ctx.req, blobs, ...form, ...limits };
      ctx.state.form = whileValid(createFormReader(source), ctx.state.checkKey);
    } else if (json !== null) {
      ctx.state.body = await readJson(ctx, json, bodyLimitBytes);
    } else {
      await discardBody(ctx.req, bodyLimitBytes);
    }
    // The key or its tenant may have been deleted while the request arrived.
    ctx.state.checkKey();
    await next();
  };
}

/** Returns a reader that checks the key when the form has arrived. */
function whileValid(read: FormReader<never>, checkKey: () => void): FormReader<never> {
  return async () => {
    const form = await read();
    checkKey();
    return form;
  };
}

async function readJson(
  { req, state }: ParameterizedContext<ValidatedState>,
  { check, isRequired, limitFactor }: JsonChecks,
  bodyLimitBytes: number,
): Promise<unknown> {
  const bytes = await readBody(req, limitFactor * bodyLimitBytes);
  if (bytes === undefined) {
    if (isRequired) refuse([issue('invalid_value', ROOT, 'a JSON body is required')]);
    return undefined;
  }
  // A copy, so that the rest of a large body is released.
  state.bodyExcerpt = Buffer.from(bytes.subarray(0, EXCERPT_BYTES));
  const body = parseBody(bytes);
  refuse(check(body));
  return body;
}

function refuse(issues: readonly ApiIssue[]): void {
  if (issues.length === 0) return;
  const paging = issues.some(({ field }) => field === 'limit' || field === 'offset');
  throw new ApiError(
    issues,
    paging ? { hint: 'limit is from 1 to 100, and offset is the number of entries to skip.' } : {},
  );
}
