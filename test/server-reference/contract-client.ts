import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { listOperations, loadOpenApi } from '@hookproof/spec/openapi';
import { request } from 'undici';
import { expect } from 'vitest';

interface Call {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS';
  readonly path: string;
  /** API key; null sends no Authorization header. */
  readonly key: string | null;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Buffer;
  readonly headers?: Record<string, string>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  // Tests look into bodies that the contract has just vouched for.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

const document = loadOpenApi();
const operations = listOperations(document).map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, 'contract', false, false);
const compiled = new Map<string, ValidateFunction>();

function validator(reference: string): ValidateFunction {
  const known = compiled.get(reference) ?? ajv.compile({ $ref: `contract${reference}` });
  compiled.set(reference, known);
  return known;
}

/** Makes a call over a real socket and holds the answer against openapi.json, whatever it is. */
export async function call(baseUrl: string, { key, ...what }: Call): Promise<Answer> {
  const body = what.raw ?? (what.json === undefined ? undefined : JSON.stringify(what.json));
  const response = await request(baseUrl + what.path, {
    method: what.method ?? 'GET',
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...what.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.body.text();
  const answer: Answer = {
    status: response.statusCode,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
  assertContract(what.method ?? 'GET', what.path, answer);
  return answer;
}

/** What every answer of the API must be, by the contract. */
export function assertContract(method: string, path: string, answer: Answer): void {
  const where = `${method} ${path} -> ${answer.status}`;
  expect(answer.headers['x-request-id'], where).toMatch(/^req_[0-9a-f-]{36}$/);
  expect(answer.headers['content-type'], where).toBe('application/json; charset=utf-8');
  if (method === 'HEAD') return;
  if (answer.status >= 400) {
    assertSchema('#/components/schemas/ErrorEnvelope', answer.body, where);
    expect(answer.body.requestId, where).toBe(answer.headers['x-request-id']);
    expect(answer.body.issues.length, where).toBeGreaterThan(0);
  }
  const found = operations.find(
    (one) => one.operation.method === method && one.pattern.test(path.split('?')[0] ?? ''),
  );
  if (found === undefined) {
    expect(answer.status, `${where} is no operation`).toBeGreaterThanOrEqual(400);
    return;
  }
  const { responses } = found.operation;
  const response =
    responses[answer.status] ??
    responses[`${String(answer.status).charAt(0)}XX`] ??
    responses['default'];
  expect(response, `${where} is not a documented answer`).toBeDefined();
  const ours = response?.['x-reference-schema'];
  const reference =
    ours === undefined
      ? response?.content?.['application/json']?.schema?.['$ref']
      : `#/components/schemas/${ours}`;
  expect(reference, `${where} has no schema`).toBeTypeOf('string');
  assertSchema(String(reference), answer.body, where);
}

function assertSchema(reference: string, value: unknown, where: string): void {
  const validate = validator(reference);
  validate(value);
  expect(validate.errors ?? [], `${where} against ${reference}`).toEqual([]);
}
