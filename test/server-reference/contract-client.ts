import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import type { JsonSchema, Operation, ResolvedResponse } from '@hookproof/spec/openapi';
import { expect } from 'vitest';

import { loadServerDocument } from '../../server-reference/src/api/server-document.ts';
import { send } from './send.ts';
import type { Received, SentRequest, Target } from './send.ts';

interface Call {
  /** Default GET. */
  readonly method?: SentRequest['method'];
  /** Appended to the address; a whole URL, such as a signed one, is called unchanged. */
  readonly path: string;
  /** API key; null sends no Authorization header. */
  readonly key: string | null;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged; as JSON by its header, unless `headers` name another type. */
  readonly raw?: string | Buffer;
  readonly headers?: Record<string, string>;
}

export interface ApiResponse extends Received {
  /** The parsed JSON; undefined without a body, or where the response is bytes. */
  // Tests read bodies that the contract check has accepted.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const document = loadServerDocument();
const operations = [...listOperations(document), ...listCompanions(document)].map((operation) => ({
  operation,
  pattern: patternOf(operation),
}));
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, 'contract', false, false);
const compiled = new Map<JsonSchema, ValidateFunction>();
const ENVELOPE: JsonSchema = { $ref: '#/components/schemas/ErrorEnvelope' };

/** Calls a server or an app, and compares the response with openapi.json, whatever its status. */
export async function call(target: Target, { key, path, ...what }: Call): Promise<ApiResponse> {
  const method = what.method ?? 'GET';
  const body = what.raw ?? (what.json === undefined ? undefined : JSON.stringify(what.json));
  const namesType = Object.keys(what.headers ?? {}).some((one) => /^content-type$/i.test(one));
  const headers = {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined || namesType ? {} : { 'content-type': 'application/json' }),
    ...what.headers,
  };
  const received = await send(target, { method, path, headers, body });
  const { status, bytes } = received;
  const isJson = bytes.length > 0 && !isBytes(responseOf(method, path, status), received.headers);
  const response = { ...received, body: isJson ? parse(bytes) : undefined };
  assertContract(method, path, response);
  return response;
}

/** The rules of the contract for every response of the API. `bytes` are needed where it is not JSON. */
export function assertContract(
  method: string,
  path: string,
  { bytes = Buffer.alloc(0), ...received }: Omit<ApiResponse, 'bytes'> & Partial<ApiResponse>,
): void {
  const where = `${method} ${path} -> ${received.status}`;
  const { status, headers } = received;
  expect(headers['x-request-id'], where).toMatch(/^req_[0-9a-f-]{36}$/);
  if (status >= 400) assertEnvelope(method, received, where);
  const found = operationOf(method, path);
  if (found === undefined) {
    if (isStorage(path)) return;
    expect(status, `${where} is no operation`).toBeGreaterThanOrEqual(400);
    return;
  }
  const response = responseOf(method, path, status);
  expect(response, `${where} is not a documented response`).toBeDefined();
  if (response === undefined || status >= 400) return;
  assertStatus(response, status, where);
  assertHeaders(response, headers, where);
  if (isBytes(response, headers)) assertBytes(response, status, headers, where);
  else if (response.content === undefined) assertEmpty(bytes, headers, where);
  else assertJson(response, method, received, where);
}

function assertEnvelope(method: string, received: Omit<ApiResponse, 'bytes'>, where: string): void {
  const { headers, status, body } = received;
  expect(headers['content-type'], where).toBe(JSON_TYPE);
  if (status === 429 || status === 503) {
    expect(headers['retry-after'], where).toMatch(/^\d+$/);
  }
  if (status === 416) expect(headers['content-range'], where).toMatch(/^bytes \*\/\d+$/);
  if (method === 'HEAD') return;
  assertSchema(ENVELOPE, body, where);
  expect(body.requestId, where).toBe(headers['x-request-id']);
  expect(body.issues.length, where).toBeGreaterThan(0);
}

/** The reference server has chosen one status wherever the contract leaves it open. */
function assertStatus(response: ResolvedResponse, status: number, where: string): void {
  const settled = response['x-reference-status'];
  if (settled === undefined || (status === 206 && isBytes(response, {}))) return;
  expect(status, `${where}: the document says the status of the server`).toBe(settled);
}

function assertHeaders(
  response: ResolvedResponse,
  headers: ApiResponse['headers'],
  where: string,
): void {
  for (const [name, { required, schema }] of Object.entries(response.headers)) {
    const value = headers[name.toLowerCase()];
    if (required === true) expect(value, `${where} without ${name}`).toBeDefined();
    if (value !== undefined) assertSchema(schema, value, `${where} ${name}`);
  }
}

function assertBytes(
  response: ResolvedResponse,
  status: number,
  headers: ApiResponse['headers'],
  where: string,
): void {
  const { content = {}, 'x-reference-media-type': chosen } = response;
  const type = String(headers['content-type']);
  if (chosen !== undefined) expect(type, where).toBe(chosen);
  else if ('*/*' in content) expect(type, where).toMatch(/^[^/\s]+\/\S+/);
  else expect(Object.keys(content), where).toContain(type);
  if (status !== 206) return;
  const [, first, last] = /^bytes (\d+)-(\d+)\/\d+$/.exec(String(headers['content-range'])) ?? [];
  expect(first, `${where} without Content-Range`).toBeDefined();
  expect(headers['content-length'], where).toBe(String(Number(last) - Number(first) + 1));
}

function assertEmpty(bytes: Buffer, headers: ApiResponse['headers'], where: string): void {
  expect(bytes.toString(), where).toBe('');
  expect(headers['content-type'], where).toBeUndefined();
}

function assertJson(
  response: ResolvedResponse,
  method: string,
  { headers, body }: Omit<ApiResponse, 'bytes'>,
  where: string,
): void {
  expect(headers['content-type'], where).toBe(JSON_TYPE);
  if (method === 'HEAD') return;
  const ours = response['x-reference-schema'];
  const schema =
    ours === undefined ? response.content?.['application/json']?.schema : schemaOfServer(ours);
  expect(schema, `${where} has no schema`).toBeDefined();
  if (schema !== undefined) assertSchema(schema, body, where);
}

const schemasOfServer = new Map<string, JsonSchema>();

/** One object for a name, so that it is compiled once. */
function schemaOfServer(name: string): JsonSchema {
  const schema = schemasOfServer.get(name) ?? { $ref: `#/components/schemas/${name}` };
  schemasOfServer.set(name, schema);
  return schema;
}

function assertSchema(schema: JsonSchema, value: unknown, where: string): void {
  const validate = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, validate);
  if (validate(value)) return;
  expect(validate.errors, `${where} against ${JSON.stringify(schema)}`).toEqual([]);
}

function compile(schema: JsonSchema): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"contract#/components/');
  return ajv.compile(JSON.parse(text));
}

/** HEAD has the responses of GET. An operation is also served below the other of `/v1` and `/api/v1`. */
function operationOf(method: string, path: string): Operation | undefined {
  const plain = path.split('?')[0] ?? '';
  const other = plain.startsWith('/api/v1/') ? plain.slice('/api'.length) : `/api${plain}`;
  const documented = method === 'HEAD' ? 'GET' : method;
  const find = (form: string) =>
    operations.find(
      ({ operation, pattern }) => operation.method === documented && pattern.test(form),
    );
  return (find(plain) ?? find(other))?.operation;
}

function responseOf(method: string, path: string, status: number): ResolvedResponse | undefined {
  const responses = operationOf(method, path)?.responses;
  return (
    responses?.[status] ?? responses?.[`${String(status).charAt(0)}XX`] ?? responses?.['default']
  );
}

/** Some responses are JSON or a download, as the request says. Only a download has a disposition. */
function isBytes(response: ResolvedResponse | undefined, headers: ApiResponse['headers']): boolean {
  const { content } = response ?? {};
  if (content === undefined) return false;
  return !('application/json' in content) || headers['content-disposition'] !== undefined;
}

/** The signed addresses of the storage are not in the document; their errors are. */
function isStorage(path: string): boolean {
  return /^(http:\/\/[^/]+)?\/_storage\//.test(path);
}

function patternOf({ path, parameters }: Operation): RegExp {
  const pattern = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const wide = parameters.some((one) => one.name === name && one['x-slash-delimited'] === true);
    return wide ? '.+' : '[^/]+';
  });
  return new RegExp(`^${pattern}$`);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
