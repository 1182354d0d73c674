import { listControlOperations, loadControl } from '@hookproof/spec/control';
import type { ControlOperation, StreamEvent } from '@hookproof/spec/control';
import type { JsonSchema } from '@hookproof/spec/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'vitest';

interface ControlExchange {
  readonly method: string;
  /** The path below the prefix, with its query. */
  readonly path: string;
  /** The body of the request; undefined for none. */
  readonly sent: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The JSON of the response; undefined for none. */
  readonly body: unknown;
}

const document = loadControl();
const operations = listControlOperations(document).map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(closed(document), 'control', false, false);
const compiled = new Map<JsonSchema, ValidateFunction>();
const ENVELOPE: JsonSchema = { $ref: '#/components/schemas/ErrorEnvelope' };
const STREAM_EVENT: JsonSchema = { $ref: '#/components/schemas/StreamEvent' };

/** Compares a response of the control interface, and the request that it accepted, with control.yaml. */
export function assertControl(exchange: ControlExchange): void {
  const { method, path, sent, status, body, headers } = exchange;
  const where = `${method} ${path} -> ${status}`;
  const operation = operationOf(method, path);
  if (operation === undefined) {
    expect(status, `${where} is no operation`).toBeGreaterThanOrEqual(400);
    assertSchema(ENVELOPE, body, where);
    return;
  }
  const response = operation.responses[status];
  expect(response, `${where} is not a documented response`).toBeDefined();
  for (const [name, { required }] of Object.entries(response?.headers ?? {})) {
    if (required) expect(headers[name.toLowerCase()], `${where} without ${name}`).toBeDefined();
  }
  const schema = response?.content?.['application/json']?.schema;
  if (schema === undefined) expect(body, where).toBeUndefined();
  else assertSchema(schema, body, where);
  const codes = response?.['x-codes'];
  if (codes !== undefined) expect(codes, where).toEqual(expect.arrayContaining(codesOf(body)));
  if (status < 400 && sent !== undefined) assertAccepted(operation, sent, where);
}

/** Compares an event of the stream with control.yaml. */
export function assertStreamEvent(event: object): StreamEvent {
  assertSchema(STREAM_EVENT, event, 'an event of the stream');
  return event as StreamEvent;
}

function assertAccepted({ requestBody }: ControlOperation, sent: unknown, where: string): void {
  const schema = requestBody?.content['application/json']?.schema;
  expect(schema, `${where} took a body that is not documented`).toBeDefined();
  if (schema !== undefined) assertSchema(schema, sent, `${where}: the body that it took`);
}

function operationOf(method: string, path: string): ControlOperation | undefined {
  const plain = path.split('?')[0] ?? '';
  return operations.find(
    ({ operation, pattern }) => operation.method === method && pattern.test(plain),
  )?.operation;
}

function codesOf(body: unknown): string[] {
  const { issues } = body as { issues: { code: string }[] };
  return issues.map(({ code }) => code);
}

function assertSchema(schema: JsonSchema, value: unknown, where: string): void {
  const validate = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, validate);
  if (validate(value)) return;
  expect(validate.errors, `${where} against ${JSON.stringify(schema)}`).toEqual([]);
}

function compile(schema: JsonSchema): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"control#/components/');
  return ajv.compile(JSON.parse(text));
}

/** The reference server sends only the fields that the document names. */
function closed(open: object): object {
  return JSON.parse(JSON.stringify(open), (_name, value: unknown) => {
    const isOpenObject =
      typeof value === 'object' &&
      value !== null &&
      'properties' in value &&
      'type' in value &&
      !('additionalProperties' in value);
    return isOpenObject ? { ...value, additionalProperties: false } : value;
  });
}
