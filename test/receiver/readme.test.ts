import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { PROBLEM_CODES, STORE_ERROR_CODES } from '@hookproof/receiver';
import { runTimeline, signEvent } from '@hookproof/receiver/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { EXPECTED_RESPONSES } from './expected-responses.ts';
import { SECRET } from './started-receiver.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TSC = path.join(
  path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
);
const TSCONFIG = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    exactOptionalPropertyTypes: true,
    types: ['node'],
  },
};
/** Makes a program that listens on a fixed port listen on a free one and print it. */
const WRAPPER = `
  import { Server } from 'node:http';
  const { listen } = Server.prototype;
  Server.prototype.listen = function () {
    return listen.call(this, 0, '127.0.0.1', () => console.log('port', this.address().port));
  };
  await import('./quick-start.js');
`;

/** The interfaces that `ReceiverOptions` consists of. */
const OPTION_TYPES = [
  ['processor-options.ts', 'ProcessorOptions'],
  ['receive/ingress-options.ts', 'IngressLimits'],
  ['receive/ingress-options.ts', 'IngressOptions'],
  ['verify/verifier.ts', 'VerifierOptions'],
] as const;
const GIVEN_BY_THE_RECEIVER = ['verifier', 'sink', 'now'];

let readme = '';
beforeAll(async () => {
  readme = await readFile(path.join(ROOT, 'receiver/README.md'), 'utf8');
});

/** First and second cells of a table under a heading, whose first cells are code. */
function rows(heading: string): readonly (readonly [string, string])[] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `(\w+)` +\| (.*?) +\|/gm)].map(
    ([, first = '', second = '']) => [first, second] as const,
  );
}

describe('the README of the receiver', () => {
  it('documents every response', () => {
    const given = Object.entries(EXPECTED_RESPONSES).map(([code, { status }]) => [
      code,
      `${status}`,
    ]);
    expect(new Map(rows('Responses'))).toEqual(new Map(given as [string, string][]));
  });

  it('documents every problem, store error and option', async () => {
    expect(rows('Problems').map(([code]) => code)).toEqual([...PROBLEM_CODES]);
    expect(rows('Stores').map(([code]) => code)).toEqual([...STORE_ERROR_CODES]);
    const options: string[] = [];
    for (const [file, name] of OPTION_TYPES) {
      const source = await readFile(path.join(ROOT, 'receiver/src', file), 'utf8');
      const type = source.split(`export interface ${name}`)[1]?.split('\n}')[0] ?? '';
      const found = [...type.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(
        ([, option = '']) => option,
      );
      expect(found.length).toBeGreaterThan(2);
      options.push(...found.filter((option) => !options.includes(option)));
    }
    expect(rows('Options').map(([name]) => name)).toEqual(
      options.filter((option) => !GIVEN_BY_THE_RECEIVER.includes(option)),
    );
  });
});

describe('the quick start', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'hookproof-readme-'));
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('compiles, runs, and handles a delivery', async () => {
    const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
    const files = {
      'quick-start.ts': code,
      'wrapper.js': WRAPPER,
      'package.json': '{"type":"module"}',
      'tsconfig.json': JSON.stringify({ ...TSCONFIG, files: ['quick-start.ts'] }),
    };
    for (const [name, text] of Object.entries(files))
      await writeFile(path.join(folder, name), text);
    await promisify(execFile)(process.execPath, [TSC, '-p', folder]);

    const child = spawn(process.execPath, ['wrapper.js'], {
      cwd: folder,
      env: { ...process.env, WEBHOOK_SECRET: SECRET },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    try {
      const port = /^port (\d+)$/.exec(String((await lines.next()).value))?.[1];
      for (const event of runTimeline(['pending', 'running', 'completed']).toReversed()) {
        const { headers, body } = signEvent(event, { secret: SECRET });
        const init = { method: 'POST', headers, body: new Uint8Array(body) };
        expect((await fetch(`http://127.0.0.1:${port}/`, init)).status).toBe(202);
      }
      expect((await lines.next()).value).toBe('completed run_1 undefined');
    } finally {
      child.kill();
      await once(child, 'close');
    }
  });
});
