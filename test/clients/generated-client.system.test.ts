import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { createServer, virtualClock } from '@hookproof/server-reference';
import { listControlOperations, loadControl } from '@hookproof/spec/control';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';

import { ROOT } from '../compiled-program.ts';
import { emptyFolder } from '../empty-folder.ts';
import { OPERATIONS } from '../server-reference/api/responses/documented-pairs.ts';
import { START } from '../server-reference/lab/control/control-client.ts';
import { goodCalls } from './good-calls.ts';
import type { GoodCall } from './good-calls.ts';
import { shapesProgram } from './shapes-program.ts';

const run = promisify(execFile);
const BLOB = ts.factory.createTypeReferenceNode('Blob');
const COMPILER_OPTIONS = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  outDir: 'dist',
  rootDir: '.',
};

/** The operations of the control interface that read without an id. A stream of changes does not end. */
const CONTROL_READS = listControlOperations(loadControl()).filter(
  ({ method, path, responses }) =>
    method === 'GET' &&
    !path.includes('{') &&
    responses['200']?.content?.['application/json'] !== undefined,
);

test('a client by openapi-typescript and openapi-fetch compiles, calls every operation, and sends and reads every shape', async () => {
  const server = await createServer({
    store: { kind: 'memory' },
    clock: virtualClock({ now: START }),
  });
  onTestFinished(() => server.close());
  const shapes = shapesProgram(server);
  const api = client('openapi', server.baseUrl);
  const control = client('control', server.controlUrl);
  const reads = CONTROL_READS.map(
    ({ operationId, path }) => `{
  const { response } = await client.GET(${literal(path)}, { headers: { authorization: ${literal(`Bearer ${server.controlToken}`)} } });
  console.log(${literal(operationId)}, response.status);
}`,
  );
  const calls = (await goodCalls(server)).map(fetchCall);
  const printed = await compiledAndRun({
    'main.ts': api + FORM + calls.join('\n') + shapes.program,
    'control.ts': control + reads.join('\n'),
  });
  expect(printed['main.ts']).toEqual([
    ...OPERATIONS.map(({ operationId }) => expect.stringMatching(`^${operationId} 20[0-6]$`)),
    ...shapes.printed,
  ]);
  expect(printed['control.ts']).toEqual(
    CONTROL_READS.map(({ operationId }) => `${operationId} 200`),
  );
});

/** What the programs printed, line by line. Throws with the errors of the compiler. */
async function compiledAndRun(
  programs: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const folder = emptyFolder();
  const modules = join(ROOT, 'node_modules');
  await symlink(modules, join(folder, 'node_modules'));
  await mkdir(join(folder, 'generated'));
  for (const [name, document] of [
    ['openapi', '@hookproof/server-reference/openapi.json'],
    ['control', '@hookproof/spec/control.json'],
  ] as const) {
    const text = await readFile(new URL(import.meta.resolve(document)), 'utf8');
    const nodes = await openapiTS(JSON.parse(text), {
      transform: (schema) => (schema.format === 'binary' ? BLOB : undefined),
    });
    await writeFile(join(folder, 'generated', `${name}.ts`), astToString(nodes));
  }
  const names = Object.keys(programs);
  for (const [name, text] of Object.entries(programs)) await writeFile(join(folder, name), text);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: [...names, 'generated'] }),
  );
  const tsc = join(modules, 'typescript/bin/tsc');
  await run(process.execPath, [tsc, '-p', folder]).catch((error: { readonly stdout: string }) => {
    throw new Error(`The generated client does not compile:\n${error.stdout.slice(0, 4_000)}`);
  });
  const printed: Record<string, readonly string[]> = {};
  for (const name of names) {
    const program = join(folder, 'dist', name.replace(/ts$/, 'js'));
    const { stdout } = await run(process.execPath, [program]);
    printed[name] = stdout.split('\n').filter((line) => line !== '');
  }
  return printed;
}

function client(document: string, baseUrl: string): string {
  return `
import createClient from 'openapi-fetch';
import type { paths } from './generated/${document}.js';

const client = createClient<paths>({ baseUrl: ${literal(baseUrl)} });
`;
}

const FORM = `
const form = (values: Record<string, string | Blob | Blob[]>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(values))
    for (const one of [value].flat()) data.append(name, one);
  return data;
};
`;

/** A call that prints `<operationId> <status>`. */
function fetchCall(call: GoodCall): string {
  const { operationId, method, path, pathParameters, query, json, file, hasJsonResponse } = call;
  const parameters = Object.entries({ path: pathParameters, query })
    .filter(([, values]) => Object.keys(values).length > 0)
    .map(([name, values]) => `${name}: ${literal(values)}`);
  const options = [
    `params: { ${parameters.join(', ')} }`,
    `headers: { authorization: ${literal(`Bearer ${call.key}`)} }`,
    ...(json === undefined ? [] : [`body: ${literal(json)}`]),
    ...(file === undefined
      ? []
      : [`body: ${fileBody(file)}`, 'bodySerializer: (body) => form({ ...body })']),
    ...(hasJsonResponse ? [] : ["parseAs: 'blob'"]),
  ];
  return `{
  const { response } = await client.${method}(${literal(path)}, { ${options.join(', ')} });
  console.log(${literal(operationId)}, response.status);
}`;
}

function fileBody({ text, isList }: NonNullable<GoodCall['file']>): string {
  const one = `new File([${literal(text)}], 'note.txt', { type: 'text/plain' })`;
  return `{ file: ${isList ? `[${one}]` : one} }`;
}

function literal(value: unknown): string {
  return JSON.stringify(value);
}
