import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Generate } from './generators.ts';

const run = promisify(execFile);
const home = new URL('orval/', import.meta.url);

/**
 * The function that generated code calls, which a user of this generator writes. Where an operation takes JSON
 * or a form, the generated code names no media type.
 */
const FETCHER = `
export const target = { baseUrl: '' };

export async function fetcher<T>(path: string, options: RequestInit): Promise<T> {
  const headers = new Headers(options.headers);
  if (typeof options.body === 'string') headers.set('content-type', 'application/json');
  const response = await fetch(target.baseUrl + path, { ...options, headers });
  const data = await response.arrayBuffer();
  return { data, status: response.status, headers: response.headers } as T;
}
`;

/** Generates one function for each operation with orval, which is installed at the first use. */
export const generateOrval: Generate = async (document, folder) => {
  if (!existsSync(new URL('node_modules/', home))) {
    await run('npm', ['ci', '--silent', '--ignore-scripts'], { cwd: fileURLToPath(home) });
  }
  await mkdir(path.join(folder, 'generated'));
  await writeFile(path.join(folder, 'fetcher.ts'), FETCHER);
  const options = {
    input: { target: fileURLToPath(document) },
    output: {
      target: './generated/api.ts',
      client: 'fetch',
      override: { mutator: { path: './fetcher.ts', name: 'fetcher', extension: '.js' } },
    },
  };
  const orval = createRequire(new URL('package.json', home)).resolve('orval');
  const program = `require(${JSON.stringify(orval)})
    .generate(${JSON.stringify(options)}, process.cwd())`;
  await run(process.execPath, ['-e', program], { cwd: folder });
};
