import { execFile } from 'node:child_process';
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

import { FRAMEWORKS } from '../../../bin/dist/commands/init/frameworks.js';
import { ROOT } from '../../compiled-program.ts';
import { emptyFolder } from '../../empty-folder.ts';
import { hookproof } from '../hookproof.ts';

const STRICT = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'es2023',
  types: ['node'],
};
/** React Router is not installed here. */
const ROUTES = 'export function route(path: string, file: string): object;';

test.each([
  ['node', {}],
  ['express', {}],
  ['fastify', {}],
  ['koa', {}],
  ['hono', {}],
  ['next', {}],
  ['sveltekit', { '$lib/*': ['./src/lib/*'] }],
  ['react-router', { '@react-router/dev/routes': ['./routes.d.ts'] }],
] as const)('init %s in TypeScript writes what its types accept', async (name, paths) => {
  const isBundled = FRAMEWORKS[name].isBundled;
  const folder = emptyFolder();
  const manifest = { type: 'module', devDependencies: { typescript: '7', vitest: '4' } };
  const compilerOptions = {
    ...STRICT,
    module: isBundled ? 'esnext' : 'nodenext',
    moduleResolution: isBundled ? 'bundler' : 'nodenext',
    paths,
  };
  for (const [file, value] of [
    ['package.json', manifest],
    ['tsconfig.json', { compilerOptions, include: ['**/*.ts'] }],
  ] as const) {
    writeFileSync(join(folder, file), JSON.stringify(value));
  }
  await hookproof(['init', name], { cwd: folder });
  writeFileSync(join(folder, 'routes.d.ts'), ROUTES);
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(written.filter((file) => file.endsWith('.ts')).length).toBeGreaterThan(3);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const checked = promisify(execFile)(tsc, ['-p', folder]).catch(
    (error: { stdout: string }) => error,
  );
  expect((await checked).stdout).toBe('');
});
