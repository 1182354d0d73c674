import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { blockWith, manual } from './pages.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const require = createRequire(path.join(ROOT, 'package.json'));
const TSC = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin/tsc');
const VITEST = path.join(path.dirname(require.resolve('vitest/package.json')), 'vitest.mjs');
const run = promisify(execFile);

const TSCONFIG = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: ['node'],
  },
};

/** What a page has explained before its blocks, as globals. A block may declare a name of its own. */
const PRELUDE = `
import type { Ingress, Processor, Receiver, IncomingEvent } from '@hookproof/receiver';
declare global {
  const receiver: Receiver<any>;
  const app: import('express').Express;
  const server: import('node:http').Server;
  const pool: import('pg').Pool;
  const queue: { add(event: IncomingEvent): Promise<void> };
  const request: import('node:http').IncomingMessage;
  const message: { id: string; body: Uint8Array; timestamp: number; ack(): Promise<void> };
  const createServer: typeof import('node:http').createServer;
  const express: typeof import('express');
  const Fastify: typeof import('fastify').default;
  const Koa: typeof import('koa');
  const Hono: typeof import('hono').Hono;
  const http: (name: string, handler: import('@hookproof/receiver/node').NodeHandler) => void;
  const Pool: typeof import('pg').Pool;
  const z: typeof import('zod').z;
`;

/** The folder is in node_modules, which Vitest excludes by default. */
const VITEST_CONFIG = `export default { test: { include: ['handlers.test.js'], exclude: [] } };`;

/** Makes a program that listens on a fixed port listen on a free one and print it. */
const WRAPPER = `
  import { Server } from 'node:http';
  const { listen } = Server.prototype;
  Server.prototype.listen = function () {
    return listen.call(this, 0, '127.0.0.1', () => console.log('port', this.address().port));
  };
  await import('./app.js');
`;

// Inside node_modules, so that a block finds the packages by name, as in a user's project.
let folder = '';
beforeAll(async () => {
  const cache = path.join(ROOT, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(path.join(cache, 'manual-'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes files and compiles them. */
async function compile(files: Readonly<Record<string, string>>, more: object): Promise<void> {
  const compilerOptions = { ...TSCONFIG.compilerOptions, ...more };
  const tsconfig = { compilerOptions, files: Object.keys(files) };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  await run(process.execPath, [TSC, '-p', folder]).catch((error: unknown) => {
    throw new Error(
      error instanceof Error && 'stdout' in error ? String(error.stdout) : 'tsc failed',
    );
  });
}

/** Declares every value of every entry point of the package as a global. */
async function prelude(): Promise<string> {
  const manifest: { exports: Record<string, { default?: string }> } = JSON.parse(
    await readFile(path.join(ROOT, 'receiver/package.json'), 'utf8'),
  );
  const declared = new Map<string, string>();
  for (const entry of Object.keys(manifest.exports)) {
    if (entry === './package.json') continue;
    const name = `@hookproof/receiver${entry.slice(1)}`;
    const values: object = await import(name);
    for (const value of Object.keys(values)) {
      if (!declared.has(value)) {
        declared.set(value, `  const ${value}: typeof import('${name}').${value};\n`);
      }
    }
  }
  return `${PRELUDE}${[...declared.values()].join('')}}\nexport {};\n`;
}

describe('the manual', () => {
  it('has code that compiles', async () => {
    const files: Record<string, string> = { 'prelude.d.ts': await prelude() };
    for (const { name, blocks } of manual()) {
      for (const [place, code] of blocks.entries()) {
        files[`${name.replace('/', '-')}-${place + 1}.ts`] = `${code}\nexport {};\n`;
      }
    }
    expect(Object.keys(files).length).toBeGreaterThan(1);
    await compile(files, { noEmit: true });
  });
});

describe('the README and the page about tests', () => {
  it('start an app that handles what the sender sends', async () => {
    await compile(
      {
        'app.ts': blockWith('README', 'listen(3000)'),
        'send.ts': blockWith('docs/testing', 'sent.map(({ outcome }) => outcome)'),
      },
      {},
    );
    await writeFile(path.join(folder, 'wrapper.js'), WRAPPER);
    const child = spawn(process.execPath, ['wrapper.js'], {
      cwd: folder,
      env: { ...process.env, WEBHOOK_SECRET: 'whsec_first_look' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    try {
      const port = /^port (\d+)$/.exec(String((await lines.next()).value))?.[1] ?? '';
      const send = await readFile(path.join(folder, 'send.js'), 'utf8');
      await writeFile(path.join(folder, 'send.js'), send.replace(':3000/', `:${port}/`));
      const { stdout } = await run(process.execPath, ['send.js'], { cwd: folder });
      expect(stdout).toBe(`${Array.from({ length: 6 }, () => 'delivered').join(' ')}\n`);
      expect((await lines.next()).value).toBe('completed exec_1 { total: 3 }');
    } finally {
      child.kill();
      await once(child, 'close');
    }
  });

  it('have tests that pass with node:test and with Vitest', async () => {
    await compile(
      {
        'handlers.node.ts': blockWith('docs/testing', "from 'node:test'"),
        'handlers.test.ts': blockWith('docs/testing', "from 'vitest'"),
      },
      {},
    );
    const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const node = await run(process.execPath, ['--test', 'handlers.node.js'], { cwd: folder, env });
    expect(node.stdout).toMatch(/^# pass 1$|^ℹ pass 1$/m);
    await writeFile(path.join(folder, 'vitest.config.js'), VITEST_CONFIG);
    const vitest = await run(
      process.execPath,
      [VITEST, 'run', '--root', folder, '--config', 'vitest.config.js'],
      { cwd: folder, env },
    );
    expect(vitest.stdout).toContain('1 passed');
  });
});
