import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

import { emptyFolder, serveProcess } from './hookproof.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const SERVER = 'server-reference/src/';

/** Files of the server that the first response does not need. */
const LATER = [
  'lab/control/control-interface.ts',
  'lab/dashboard/dashboard.ts',
  'platform/datasets/zip-archive.ts',
  'platform/datasets/zip-directory.ts',
  'platform/store/folder-blobs.ts',
  'platform/store/folder-store.ts',
];

/**
 * The files that a server has loaded when it has sent its first response, by the paths of their sources. Under a
 * virtual clock, nothing else is loaded meanwhile.
 */
async function loadedFiles(): Promise<string[]> {
  const folder = emptyFolder();
  const server = await serveProcess(['--clock', 'virtual'], { env: { NODE_V8_COVERAGE: folder } });
  const headers = { authorization: `Bearer ${server.keys.wildcard}` };
  const response = await fetch(`${server.baseUrl}/v1/auth/check`, { headers });
  expect(response.status).toBe(200);
  expect(await server.stop('SIGTERM')).toBe(0);
  const [report = ''] = readdirSync(folder);
  const { result }: { result: { url: string }[] } = JSON.parse(
    readFileSync(join(folder, report), 'utf8'),
  );
  return result.filter(({ url }) => url.startsWith('file:')).map(({ url }) => sourcePath(url));
}

function sourcePath(url: string): string {
  const path = relative(ROOT, fileURLToPath(url)).split(sep).join('/');
  return path.replace(/^([\w-]+)\/dist\/(.+)\.js$/, '$1/src/$2.ts');
}

function dependenciesOf(room: string): string[] {
  const manifest: { dependencies?: object } = JSON.parse(
    readFileSync(join(ROOT, room, 'package.json'), 'utf8'),
  );
  return Object.keys(manifest.dependencies ?? {}).filter((name) => !name.startsWith('@hookproof/'));
}

test('until its first response, serve loads only what that response needs', async () => {
  const files = await loadedFiles();
  const packages = new Set(['', 'server-reference', 'conformance'].flatMap(dependenciesOf));
  expect(packages).toContain('undici');
  const loaded = [...packages].filter((name) =>
    files.some((path) => path.includes(`node_modules/${name}/`)),
  );
  // Koa needs `content-disposition`.
  expect(loaded.toSorted()).toEqual([
    'commander',
    'content-disposition',
    'koa',
    'koa-compose',
    'lowdb',
  ]);
  expect(files.filter((path) => /^(receiver|conformance)\//.test(path))).toEqual([]);
  const routes = files.filter((path) => path.startsWith(`${SERVER}platform/routes/`)).toSorted();
  expect(routes.map((path) => path.slice(path.lastIndexOf('/') + 1))).toEqual([
    'auth.ts',
    'cached-reads.ts',
    'contract.ts',
    'operation.ts',
    'routes.ts',
    'validate-request.ts',
  ]);
  expect(LATER.filter((path) => files.includes(SERVER + path))).toEqual([]);
  expect(LATER.filter((path) => existsSync(join(ROOT, SERVER, path)))).toEqual(LATER);
});
