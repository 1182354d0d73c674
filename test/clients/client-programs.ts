import type { GoodCall } from './good-calls.ts';

/**
 * Writes a program for the types of openapi-typescript and the client of openapi-fetch: it makes all calls and prints
 * `<operationId> <status>` for each.
 */
export function fetchProgram(baseUrl: string, calls: readonly GoodCall[]): string {
  return `
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
}

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
