import type { ReferenceServer } from '@hookproof/server-reference';

import type { Operation } from '@hookproof/spec/openapi';

import { loadServerDocument } from '../../server-reference/src/api/server-document.ts';
import { OPERATIONS } from '../server-reference/api/responses/documented-pairs.ts';
import { requestOf } from '../server-reference/api/responses/requests.ts';
import { openSandbox } from '../server-reference/api/responses/sandbox.ts';
import type { RequestParts } from '../server-reference/api/responses/sandbox.ts';

/** The arguments of one call of a generated client, which succeeds in a world of its own. */
export interface GoodCall {
  readonly operationId: string;
  readonly method: Operation['method'];
  readonly path: string;
  readonly key: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  /** Sent as JSON; undefined without one. */
  readonly json: unknown;
  /** The text of the file in a form, and whether the form takes several; undefined without a form. */
  readonly file: { readonly text: string; readonly isList: boolean } | undefined;
  readonly hasJsonResponse: boolean;
}

/** Returns a call of every operation of the document. */
export async function goodCalls(server: ReferenceServer): Promise<GoodCall[]> {
  const calls: GoodCall[] = [];
  for (const operation of OPERATIONS) {
    const sandbox = await openSandbox(server);
    const parts = await requestOf(sandbox, operation.operationId);
    calls.push(callOf(operation, parts, sandbox.world.keys.wildcard));
  }
  return calls;
}

function callOf(operation: Operation, parts: RequestParts, key: string): GoodCall {
  const { operationId, method, path, parameters, responses } = operation;
  const given = new URLSearchParams(parts.query);
  const query = parameters
    .filter((one) => one.in === 'query')
    .flatMap(({ name, schema }): [string, string | number | boolean][] => {
      const value = given.get(name);
      return value === null ? [] : [[name, typedValue(value, schema.type)]];
    });
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  const content = success?.[1].content;
  return {
    operationId,
    method,
    path,
    key: parts.key ?? key,
    pathParameters: parts.path ?? {},
    query: Object.fromEntries(query),
    json: parts.json,
    file:
      parts.form === undefined ? undefined : { text: parts.form, isList: takesFiles(operation) },
    hasJsonResponse: Object.keys(content ?? {}).every((type) => type === 'application/json'),
  };
}

const { schemas } = loadServerDocument().components;

/** Whether the part `file` of the form can be repeated. */
function takesFiles({ requestBody }: Operation): boolean {
  const schema = requestBody?.content['multipart/form-data']?.schema;
  const name = schema?.$ref?.split('/').at(-1) ?? '';
  const file = (schemas[name] ?? schema)?.properties?.['file'];
  return typeof file === 'object' && file.type === 'array';
}

function typedValue(value: string, type: unknown): string | number | boolean {
  if (type === 'integer' || type === 'number') return Number(value);
  return type === 'boolean' ? value === 'true' : value;
}
