import type { GoodCall } from './good-calls.ts';

/** Writes the program of a generated client: it makes all calls and prints `<operationId> <status>` for each. */
export type WriteProgram = (baseUrl: string, calls: readonly GoodCall[]) => string;

/** For the types of openapi-typescript and the client of openapi-fetch. */
export const fetchProgram: WriteProgram = (baseUrl, calls) => `
import createClient from 'openapi-fetch';
import type { paths } from './generated/openapi.js';

const client = createClient<paths>({ baseUrl: ${literal(baseUrl)} });
const form = (values: Record<string, string | Blob | Blob[]>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(values))
    for (const one of [value].flat()) data.append(name, one);
  return data;
};
${calls.map(fetchCall).join('\n')}
`;

function fetchCall(call: GoodCall): string {
  const { operationId, method, path, file, hasJsonResponse } = call;
  const options = [
    `params: { ${parametersOf(call).join(', ')} }`,
    `headers: { authorization: ${literal(`Bearer ${call.key}`)} }`,
    ...bodyOf(call),
    ...(file === undefined ? [] : ['bodySerializer: (body) => form({ ...body })']),
    ...(hasJsonResponse ? [] : ["parseAs: 'blob'"]),
  ];
  return `{
  const { response } = await client.${method}(${literal(path)}, { ${options.join(', ')} });
  console.log(${literal(operationId)}, response.status);
}`;
}

/** For the functions of @hey-api/openapi-ts, one for each operation. */
export const functionsProgram: WriteProgram = (baseUrl, calls) => `
import * as api from './generated/sdk.gen.js';

const baseUrl = ${literal(baseUrl)};
${calls.map(functionCall).join('\n')}
`;

function functionCall(call: GoodCall): string {
  const { operationId, key } = call;
  const auth = `auth: ${literal(key)}`;
  const options = ['baseUrl', auth, ...parametersOf(call), ...bodyOf(call)];
  return `{
  const { response } = await api.${operationId}({ ${options.join(', ')} });
  console.log(${literal(operationId)}, response?.status);
}`;
}

/** For the functions of orval: path parameters, body, query and options, one after another. */
export const positionalProgram: WriteProgram = (baseUrl, calls) => `
import { target } from './fetcher.js';
import * as api from './generated/api.js';

target.baseUrl = ${literal(baseUrl)};
${calls.map(positionalCall).join('\n')}
`;

function positionalCall(call: GoodCall): string {
  const { operationId, path, pathParameters, query, takes } = call;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const all = [
    ...names.map((name) => literal(pathParameters[name])),
    ...(takes.body ? [bodyText(call)] : []),
    ...(takes.query ? [Object.keys(query).length === 0 ? 'undefined' : literal(query)] : []),
    `{ headers: { authorization: ${literal(`Bearer ${call.key}`)} } }`,
  ];
  return `{
  const { status } = await api.${operationId}(${all.join(', ')});
  console.log(${literal(operationId)}, status);
}`;
}

function parametersOf({ pathParameters, query }: GoodCall): string[] {
  return Object.entries({ path: pathParameters, query })
    .filter(([, values]) => Object.keys(values).length > 0)
    .map(([name, values]) => `${name}: ${literal(values)}`);
}

function bodyOf(call: GoodCall): string[] {
  const text = bodyText(call);
  return text === 'undefined' ? [] : [`body: ${text}`];
}

function bodyText({ json, file }: GoodCall): string {
  if (file === undefined) return json === undefined ? 'undefined' : literal(json);
  const one = `new File([${literal(file.text)}], 'note.txt', { type: 'text/plain' })`;
  return `{ file: ${file.isList ? `[${one}]` : one} }`;
}

function literal(value: unknown): string {
  return JSON.stringify(value);
}
