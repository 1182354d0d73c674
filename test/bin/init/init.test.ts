import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { FRAMEWORKS, NAMES } from '../../../bin/dist/commands/init/frameworks.js';
import { filesOf, readRecipe } from '../../../bin/dist/commands/init/recipe.js';
import { ROOT } from '../../compiled-program.ts';
import { emptyFolder } from '../../empty-folder.ts';
import { hookproof } from '../hookproof.ts';
import type { Finished } from '../hookproof.ts';
import { readInitOutput } from './init-output.ts';

/** Makes an app that has these files. An object becomes JSON. */
function appWith(files: Readonly<Record<string, string | object>>): string {
  const folder = emptyFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof text === 'string' ? text : JSON.stringify(text));
  }
  return folder;
}

/** Returns the text of each file in a folder, by its name. */
function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

function init(cwd: string, ...args: string[]): Promise<Finished> {
  return hookproof(['init', ...args], { cwd });
}

describe.each(NAMES)('init %s in an empty folder', (name) => {
  test('writes what its recipe shows, a test, the environment and a workflow', async () => {
    const folder = emptyFolder();
    const { code, stdout, stderr } = await init(folder, name);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const written = filesIn(folder);
    const page = filesOf(readRecipe(FRAMEWORKS[name].page));
    expect(written).toMatchObject(Object.fromEntries(page.map((file) => [file.name, file.text])));
    expect(
      Object.keys(written).filter((file) => /handlers\.(?:test|spec)\./.test(file)),
    ).toHaveLength(1);
    expect(written['.env.example']).toBe('WEBHOOK_SECRET=whsec_for_local_work\n');
    const { jobs } = parse(written['.github/workflows/webhooks.yml'] ?? '');
    const runs = jobs.webhooks.steps.flatMap(({ run }: { run?: string }) => run ?? []);
    expect(runs[0]).toBe('npm ci');
    const [start] = runs.at(-2).split(' > app.log &');
    expect(stdout).toContain(`  ${start} &\n`);
    for (const file of Object.keys(written)) expect(stdout).toContain(`written   ${file}\n`);
  });
});

describe('the names and the test are those of the app', () => {
  const TYPESCRIPT = { typescript: '7' };
  test.each([
    ['JavaScript', {}, ['handlers.mjs', 'handlers.test.mjs', 'receiver.mjs']],
    ['ES modules', { type: 'module' }, ['handlers.js', 'handlers.test.js', 'receiver.js']],
    [
      'TypeScript',
      { devDependencies: TYPESCRIPT },
      ['handlers.mts', 'handlers.test.mts', 'receiver.mts'],
    ],
    [
      'TypeScript in ES modules',
      { type: 'module', devDependencies: TYPESCRIPT },
      ['handlers.test.ts', 'handlers.ts', 'receiver.ts'],
    ],
  ])('%s', async (_, manifest, expected) => {
    const folder = appWith({
      'package.json': { ...manifest, dependencies: { koa: '3' } },
      'src/index.js': '',
    });
    await init(folder);
    const names = Object.keys(filesIn(folder)).filter((name) => /\/(handlers|receiver)/.test(name));
    expect(names.toSorted()).toEqual(expected.map((name) => `src/${name}`));
  });

  test.each([
    ['vitest', "import { expect, test } from 'vitest';", 'npx vitest run handlers.test.mjs'],
    [
      'jest',
      "import { expect, test } from '@jest/globals';",
      'NODE_OPTIONS=--experimental-vm-modules npx jest handlers.test.mjs',
    ],
  ])('a test for %s', async (runner, first, command) => {
    const manifest = { dependencies: { koa: '3' }, devDependencies: { [runner]: '1' } };
    const folder = appWith({ 'package.json': manifest, 'index.js': '' });
    const { stdout } = await init(folder);
    expect(stdout).toContain(`  ${command}\n`);
    const written = filesIn(folder);
    const text = written['handlers.test.mjs'] ?? '';
    expect(text.startsWith(`${first}\n`)).toBe(true);
    expect(text).toContain('expect(app.handled).toHaveLength(2);');
    expect(text).not.toContain('assert');
    expect(written['.github/workflows/webhooks.yml']).toContain(`- run: ${command}\n`);
  });

  test('a test for Jest in CommonJS imports the package where it needs it', async () => {
    const folder = appWith({
      'package.json': JSON.stringify(
        {
          scripts: { test: 'jest --ci' },
          dependencies: { '@nestjs/core': '11' },
          devDependencies: { jest: '30', typescript: '5' },
        },
        null,
        2,
      ),
      'tsconfig.json': { compilerOptions: { module: 'nodenext' } },
      'src/main.ts': '',
    });
    const { stdout } = await init(folder);
    const text = filesIn(folder)['src/handlers.spec.ts'] ?? '';
    expect(text).toContain("import { handlersOf } from './handlers';\n");
    expect(text).not.toMatch(/^import .*@hookproof/m);
    expect(text).toMatch(
      /async \(\) => \{\n {2}const \{ .+ \} = await import\('@hookproof\/receiver\/testing'\);\n/,
    );
    expect(stdout).toContain(
      '    "test": "node --experimental-vm-modules node_modules/jest/bin/jest.js --ci"\n',
    );
  });

  test('Next.js with its routes in src', async () => {
    const manifest = { dependencies: { next: '16' }, devDependencies: { typescript: '7' } };
    const folder = appWith({ 'package.json': manifest, 'src/app/page.tsx': '' });
    await init(folder);
    const written = filesIn(folder);
    expect(Object.keys(written)).toEqual(
      expect.arrayContaining([
        'next.config.mjs',
        'src/app/hooks/route.ts',
        'src/handlers.test.ts',
        'src/handlers.ts',
        'src/instrumentation.ts',
        'src/receiver.ts',
      ]),
    );
    expect(written['src/app/hooks/route.ts']).toContain("from '../../receiver'");
  });

  test('the scripts of package.json build and start the app', async () => {
    const manifest = { dependencies: { next: '16' }, scripts: { build: 'a', start: 'b' } };
    const folder = appWith({ 'package.json': manifest, 'app/page.jsx': '' });
    const { stdout } = await init(folder);
    expect(stdout).toContain('  npm run build\n');
    expect(stdout).toContain('  npm start &\n');
    expect(filesIn(folder)['.github/workflows/webhooks.yml']).toContain('- run: npm start > app');
  });
});

describe('an app that is there', () => {
  test('keeps its files, and is told what to add', async () => {
    const own = {
      'package.json': JSON.stringify({ type: 'module', dependencies: { next: '16' } }),
      'next.config.ts': 'export default {};\n',
      'app/page.tsx': '',
      'handlers.js': 'export const handlers = {};\n',
      '.env.example': 'A=1\n',
    };
    const folder = appWith(own);
    const { code, stdout } = await init(folder);
    expect(code).toBe(0);
    const files = filesIn(folder);
    expect(files).toMatchObject(own);
    expect(Object.keys(files)).not.toContain('next.config.mjs');
    expect(stdout).toContain('kept      next.config.ts (exists already)\n');
    expect(stdout).toContain('kept      handlers.js (exists already)\n');
    expect(stdout).toContain(
      "In next.config.ts, add this line where it belongs:\n\n    serverExternalPackages: ['@hookproof/receiver'],\n",
    );
    expect(stdout).toContain('    WEBHOOK_SECRET=whsec_for_local_work\n');
  });

  test('gets no program of its own beside the one it has, but sees the lines', async () => {
    const folder = appWith({
      'package.json': { dependencies: { express: '5' } },
      'server.js': 'listen();\n',
    });
    const { stdout } = await init(folder);
    expect(Object.keys(filesIn(folder))).not.toContain('app.mjs');
    expect(stdout).toContain(
      "    app.use(nodeHandler(receiver, { path: '/hooks' })); // before express.json()",
    );
    expect(stdout).toContain('  node server.js &\n');
    expect(stdout).toContain('Add these lines to server.js:\n');
    expect(stdout).toContain("    const { receiver } = require('./receiver.mjs');\n");
    expect(stdout).not.toMatch(/^ +import /m);
  });

  test('gets the database and the secret into the .gitignore that it has, once', async () => {
    const folder = appWith({ 'package.json': {}, 'a.js': '', '.gitignore': 'node_modules' });
    const { stdout } = await init(folder);
    expect(stdout).toContain('added     events.db* and .env to .gitignore\n');
    expect(stdout).toContain('cp .env.example .env');
    await init(folder);
    expect(filesIn(folder)['.gitignore']).toBe('node_modules\nevents.db*\n.env\n');
  });

  test('says in one sentence that its secret is missing', async () => {
    const folder = appWith({ 'package.json': {}, 'a.js': '' });
    await init(folder);
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const options = { cwd: folder, env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1' } };
    await expect(
      promisify(execFile)(process.execPath, ['receiver.mjs'], options),
    ).rejects.toMatchObject({
      code: 1,
      stderr: 'WEBHOOK_SECRET is missing. Set it, or start node with --env-file=.env.\n',
    });
  });

  test('has everything the second time, and reads a package.json with a byte order mark', async () => {
    const manifest = '\uFEFF{ "dependencies": { "fastify": "5" } }';
    const folder = appWith({ 'package.json': manifest, 'a.js': '' });
    await init(folder);
    const files = filesIn(folder);
    const { stdout } = await init(folder);
    expect(filesIn(folder)).toEqual(files);
    expect(stdout).not.toMatch(/Add these lines to (?!your app)/);
    expect(stdout).not.toContain('written');
  });

  test('installs only what it misses, and knows of package files that GitHub does not have', async () => {
    const file = 'file:../hookproof/packages/hookproof-0.1.0.tgz';
    const dependencies = { hono: '4', '@hookproof/receiver': file, hookproof: file };
    const folder = appWith({ 'package.json': { dependencies }, 'index.js': '' });
    const { stdout } = await init(folder);
    expect(stdout).not.toMatch(/npm install (?!@photostructure)/);
    expect(stdout).toContain('The workflow works after the first release');
    expect(stdout).not.toContain('npm run pack');
  });
});

describe('the form is that of the compiler and of the program', () => {
  const EXPRESS = { dependencies: { express: '5' }, devDependencies: { typescript: '5' } };
  const PROGRAM = "import express from 'express';\nconst app = express();\napp.listen(8080);\n";
  const IMPORTED = /^import .*handlers.*$/m;

  test.each([
    ['commonjs', { module: 'commonjs' }, {}, 'src/receiver.ts', "'./handlers'"],
    ['nodenext without a type', { module: 'nodenext' }, {}, 'src/receiver.ts', "'./handlers'"],
    ['nodenext', { module: 'NodeNext' }, { type: 'module' }, 'src/receiver.ts', "'./handlers.js'"],
    [
      'a bundler that takes extensions',
      { module: 'esnext', moduleResolution: 'bundler', allowImportingTsExtensions: true },
      { type: 'module' },
      'src/receiver.ts',
      "'./handlers.ts'",
    ],
    [
      'CommonJS that must not have import',
      { module: 'nodenext', verbatimModuleSyntax: true },
      {},
      'src/receiver.mts',
      "'./handlers.mjs'",
    ],
  ])('%s', async (_, compilerOptions, manifest, file, imported) => {
    const folder = appWith({
      'package.json': { ...EXPRESS, ...manifest },
      'tsconfig.json': { compilerOptions, include: ['src'] },
      'src/index.ts': PROGRAM,
    });
    const { stdout } = await init(folder);
    expect(IMPORTED.exec(filesIn(folder)[file] ?? '')?.[0]).toContain(imported);
    expect(stdout).toContain('Add these lines to src/index.ts:\n');
    const isModule = 'type' in manifest || file.endsWith('.mts');
    expect(stdout).toContain(`    ${isModule ? 'await' : 'void'} receiver.start();\n`);
  });

  test('comments in tsconfig.json, and what it extends', async () => {
    const folder = appWith({
      'package.json': EXPRESS,
      'base.json': '{ "compilerOptions": { "module": "commonjs", /* here */ }, }',
      'tsconfig.json': '{ // mine\n "extends": "./base.json", "include": ["src/**/*"] }',
      'src/main.ts': '',
    });
    await init(folder);
    expect(Object.keys(filesIn(folder))).toContain('src/receiver.ts');
  });

  test.each([
    [
      'CommonJS that cannot load an ES module',
      { compilerOptions: { module: 'node16' } },
      '5',
      '"module": "node16"',
      '"module": "nodenext"',
    ],
    [
      'types without those of Node.js',
      { compilerOptions: { module: 'nodenext', types: ['vite/client'] } },
      '5',
      '"types": [\n',
      null,
    ],
    [
      'a compiler that takes no types by itself',
      { compilerOptions: { module: 'nodenext' } },
      '6',
      '"compilerOptions": {',
      '"types": ["node"],',
    ],
  ])('%s is a line to change in tsconfig.json', async (_, config, typescript, before, after) => {
    const text = JSON.stringify(config, null, 2);
    const folder = appWith({
      'package.json': { ...EXPRESS, devDependencies: { typescript } },
      'tsconfig.json': after === null ? text.replace(/\[\s*(.*)\s*\]/, '[$1]') : text,
      'src/index.ts': PROGRAM,
    });
    const { stdout } = await init(folder);
    const [, line, changed] =
      /In tsconfig\.json, change this line:\n\n([\s\S]*?)\n\nto (?:this|these):\n\n([\s\S]*?)\n\n/.exec(
        stdout,
      ) ?? [];
    expect(line).toContain(after === null ? '"types": ["vite/client"]' : before);
    expect(changed).toContain(after ?? '"types": ["vite/client", "node"]');
    expect(stdout).toContain('  npm install --save-dev @types/node\n');
  });

  test.each([
    ['listen(8080)', 'app.listen(8080);', 8080],
    ['PORT', "app.listen(Number(process.env.PORT ?? '5000'));", 5000],
    ['port', 'app.listen({ port: 4000 });', 4000],
    ['nothing', 'app.listen(config);', 3000],
  ])('the port is that of %s', async (_, listen, port) => {
    const folder = appWith({
      'package.json': { type: 'module', dependencies: { express: '5' } },
      'app.js': `import express from 'express';\nconst app = express();\n${listen}\n`,
    });
    const { stdout } = await init(folder);
    expect(stdout).toContain(`--forward-to http://localhost:${port}/hooks `);
    expect(stdout).toContain('&\n\nWhen both have started:\n\n  npx hookproof trigger\n');
    expect(stdout).toContain(`If port ${port} is taken, `);
    const workflow = filesIn(folder)['.github/workflows/webhooks.yml'];
    expect(workflow?.match(/localhost:\d+/g)).toEqual([`localhost:${port}`, `localhost:${port}`]);
  });

  test('a program that stops by itself closes the receiver there', async () => {
    const folder = appWith({
      'package.json': { type: 'module', dependencies: { koa: '3' } },
      'index.js': "import Koa from 'koa';\nprocess.on('SIGTERM', stop);\n",
    });
    const { stdout } = await init(folder);
    expect(stdout).toContain('    await receiver.close(); // in your handler of SIGTERM\n');
    expect(stdout).not.toContain('process.exit');
  });

  test.each([
    ['pnpm-lock.yaml', 'pnpm add @hookproof/receiver hookproof', 'pnpm install --frozen-lockfile'],
    ['yarn.lock', 'yarn add @hookproof/receiver hookproof', 'yarn install --immutable'],
    ['bun.lock', 'bun add @hookproof/receiver hookproof', 'bun install --frozen-lockfile'],
  ])('the commands of an app with %s', async (lock, install, ci) => {
    const folder = appWith({
      'package.json': { dependencies: { koa: '3' }, scripts: { start: 'a', build: 'b' } },
      [lock]: '',
      'index.js': '',
    });
    const { stdout } = await init(folder);
    expect(stdout).toContain(`  ${install}\n`);
    const { commands } = readInitOutput(stdout);
    expect(commands.join('\n')).not.toMatch(/\b(?:npm|npx) /);
    const workflow = filesIn(folder)['.github/workflows/webhooks.yml'] ?? '';
    expect(parse(workflow).jobs.webhooks.steps).toContainEqual({ run: ci });
    expect(workflow).not.toMatch(/\b(?:npm|npx)\b/);
  });

  test.each([
    [{ engines: { node: '>=22' } }, {}, 'node-version-file: package.json'],
    [{}, { '.nvmrc': '22\n' }, 'node-version-file: .nvmrc'],
    [{}, {}, 'node-version: 24'],
  ])('the workflow has the Node.js of %j %j', async (manifest, files, line) => {
    const folder = appWith({ 'package.json': manifest, 'a.js': '', ...files });
    await init(folder);
    expect(filesIn(folder)['.github/workflows/webhooks.yml']).toContain(`          ${line}\n`);
  });

  test.each([
    ['vitest', 'vitest.config.ts', "export default { test: { include: ['**/*.spec.ts'] } };"],
    ['jest', 'jest.config.js', String.raw`module.exports = { testRegex: '.*\.spec\.ts$' };`],
  ])('%s finds the test', async (runner, config, text) => {
    const folder = appWith({
      'package.json': { dependencies: { koa: '3' }, devDependencies: { [runner]: '1' } },
      [config]: text,
      'index.js': '',
    });
    await init(folder);
    expect(Object.keys(filesIn(folder))).toContain('handlers.spec.mjs');
  });
});

describe('a line to change is in the form of its file', () => {
  const NEXT = { dependencies: { next: '16' } };
  const KIT = { type: 'module', devDependencies: { '@sveltejs/kit': '2' } };
  const NEST = { type: 'module', dependencies: { '@nestjs/core': '12' } };
  const ROUTER = { type: 'module', devDependencies: { '@react-router/dev': '7', typescript: '5' } };
  test.each([
    [
      NEXT,
      'next.config.ts',
      'const nextConfig: NextConfig = {\n  output: "standalone",\n};\n',
      'const nextConfig: NextConfig = {\n  serverExternalPackages: ["@hookproof/receiver"],',
    ],
    [
      NEXT,
      'next.config.js',
      "module.exports = {\n  serverExternalPackages: ['pino'],\n};\n",
      "  serverExternalPackages: ['@hookproof/receiver', 'pino'],",
    ],
    [
      KIT,
      'svelte.config.js',
      "import adapter from '@sveltejs/adapter-vercel';\n",
      "import adapter from '@sveltejs/adapter-node';",
    ],
    [
      NEST,
      'src/app.module.ts',
      '@Module({\n  imports: [A, B],\n})',
      '  imports: [WebhooksModule, A, B],',
    ],
    [
      NEST,
      'src/app.module.ts',
      '@Module({\n  imports: [\n    A,\n  ],\n})',
      '  imports: [WebhooksModule,',
    ],
    [
      NEST,
      'src/app.module.ts',
      '@Module({\n  providers: [],\n})',
      '@Module({\n  imports: [WebhooksModule],',
    ],
    [
      NEST,
      'src/main.ts',
      '  await app.listen(3000);',
      '  app.enableShutdownHooks();\n  await app.listen(3000);',
    ],
    [
      ROUTER,
      'app/routes.ts',
      'export default [index("routes/home.tsx")] satisfies RouteConfig;\n',
      'export default [route("hooks", "./routes/hooks.ts"), index("routes/home.tsx")] satisfies RouteConfig;',
    ],
  ])('%j %s', async (manifest, file, text, after) => {
    const folder = appWith({ 'package.json': manifest, [file]: text });
    const { stdout } = await init(folder);
    const shown = after.replaceAll(/^/gm, '    ');
    expect(stdout).toMatch(new RegExp(`In ${file}, change this line:\n\n`));
    expect(stdout).toContain(`\n\n${shown}\n\n`);
    expect(filesIn(folder)[file]).toBe(text);
  });

  test.each([
    [NEXT, 'next.config.ts', "export default { serverExternalPackages: ['@hookproof/receiver'] };"],
    [KIT, 'vite.config.ts', "import adapter from '@sveltejs/adapter-node';"],
    [ROUTER, 'app/routes.ts', 'export default flatRoutes() satisfies RouteConfig;'],
  ])('%j %s has it', async (manifest, file, text) => {
    const folder = appWith({ 'package.json': manifest, [file]: text });
    const { stdout } = await init(folder);
    expect(stdout).not.toContain(`In ${file}`);
  });

  test('.env.example is committed where .env* is ignored', async () => {
    const folder = appWith({ 'package.json': NEXT, 'a.js': '', '.gitignore': '.env*\n' });
    await init(folder);
    expect(filesIn(folder)['.gitignore']).toBe('.env*\nevents.db*\n!.env.example\n');
  });
});

describe('a refusal names the fix, and writes nothing', () => {
  test.each([
    [{}, 'this folder has no package.json. Name one of node, express,'],
    [{ 'package.json': '{' }, 'package.json must be a JSON object that can be read.'],
  ])('%j', async (files, message) => {
    const folder = appWith(files);
    const before = filesIn(folder);
    const { code, stdout, stderr } = await init(folder);
    expect(stderr).toContain(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(filesIn(folder)).toEqual(before);
  });

  test('without a framework, package.json is that of Node.js alone', async () => {
    const folder = appWith({ 'package.json': {} });
    const { stdout } = await init(folder);
    expect(stdout).toMatch(/^node {2}https:\/\/\S+\/docs\/recipes\/node\.md\n/);
  });
});
