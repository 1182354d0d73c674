import type { IncomingMessage, ServerResponse } from 'node:http';

import type { OpenApiDocument, Operation, ParameterObject } from '@hookproof/spec/openapi';
import type { Middleware } from 'koa';

import type { AuthenticatedState } from '../access/api-key.ts';
import { ApiError, issue, ROOT } from '../http/api-error.ts';
import type { ApiIssue } from '../http/api-error.ts';
import { discardBody, readBody } from '../http/body.ts';
import { readFormShape } from '../http/form-shape.ts';
import { isForm } from '../http/parts.ts';
import { createFormReader } from '../http/read-form.ts';
import type { FormReader } from '../http/read-form.ts';
import type { RoutedState } from '../http/route-table.ts';
import type { SchemaChecks } from '../http/schema.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Settings } from './services.ts';

/** The query parameters of an operation, parsed by the types of their schemas. */
export interface Query {
  readonly values: Readonly<Record<string, string | number | boolean>>;
  readonly issues: readonly ApiIssue[];
}

const INTEGER = /^(0|-?[1-9][0-9]*)$/;

/**
 * Parses a query. Unknown parameters are ignored, and a number without a value counts as absent. A repeated
 * parameter is joined with commas where it is a list, and refused elsewhere.
 */
export function readQuery(text: string, parameters: readonly ParameterObject[]): Query {
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
export interface ValidatedState extends AuthenticatedState, RoutedState {
  query: Readonly<Record<string, unknown>>;
  /** Undefined for an operation without a JSON body, and for a form. */
  body: unknown;
  /** Null if the body is not a form. Its parts are validated when it is read. */
  form: FormReader<never> | null;
}

/** What the validation of requests depends on. */
export interface Validation {
  readonly document: Pick<OpenApiDocument, 'components'>;
  readonly checkOf: SchemaChecks;
  readonly blobs: Blobs;
  readonly settings: Pick<Settings, 'bodyLimitBytes' | 'uploadLimitBytes'>;
}

/** Validates the query and body of a request against the contract. Responds 400 to an invalid request. */
export function validateRequest(
  operation: Operation,
  validation: Validation,
): Middleware<ValidatedState> {
  const { checkOf } = validation;
  const parameters = operation.parameters.filter((one) => one.in === 'query');
  const checkQuery = checkOf({
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  });
  const readJson = jsonReader(operation, validation);
  const openForm = formOpener(operation, validation);

  return async function bodyAndQuery(ctx, next) {
    const query = readQuery(ctx.querystring, parameters);
    const schemaIssues = parameters.length === 0 ? [] : await checkQuery(query.values);
    refuse([...query.issues, ...schemaIssues]);
    ctx.state.query = query.values;
    ctx.state.form = null;
    if (openForm !== null && (readJson === null || isForm(ctx.req))) {
      ctx.state.form = whileValid(openForm(ctx.req, ctx.res), ctx.state.checkKey);
    } else if (readJson !== null) {
      ctx.state.body = await readJson(ctx.req, ctx.res);
    } else {
      await discardBody(ctx.req, validation.settings.bodyLimitBytes);
    }
    // The key or its tenant may have been deleted while the request arrived.
    ctx.state.checkKey();
    await next();
  };
}

/** Returns a reader that checks the key when the form has arrived. */
function whileValid(read: FormReader<never>, checkKey: () => void): FormReader<never> {
  return (use) =>
    read((form) => {
      checkKey();
      return use(form);
    });
}

type Read<T> = (incoming: IncomingMessage, outgoing: ServerResponse) => T;

function jsonReader(
  { requestBody }: Operation,
  { checkOf, settings }: Validation,
): Read<Promise<unknown>> | null {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return null;
  const check = checkOf(schema);
  const { 'x-body-limit-factor': factor = 1 } = requestBody ?? {};
  return async (incoming, outgoing) => {
    const body = await readBody(incoming, outgoing, factor * settings.bodyLimitBytes);
    if (body !== undefined) refuse(await check(body));
    else if (requestBody?.required !== false) {
      refuse([issue('invalid_value', ROOT, 'a JSON body is required')]);
    }
    return body;
  };
}

function formOpener(
  { requestBody }: Operation,
  { document, checkOf, blobs, settings }: Validation,
): Read<FormReader<never>> | null {
  const schema = requestBody?.content['multipart/form-data']?.schema;
  if (schema === undefined) return null;
  const shape = readFormShape(schema, document);
  const check = checkOf(schema);
  const { bodyLimitBytes: textBytes, uploadLimitBytes: fileBytes } = settings;
  return (incoming, outgoing) =>
    createFormReader({ incoming, outgoing, blobs, shape, check, fileBytes, textBytes });
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
