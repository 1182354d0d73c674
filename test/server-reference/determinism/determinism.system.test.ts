import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { listControlOperations, loadControl } from '@hookproof/spec/control';
import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import { beforeAll, expect, test } from 'vitest';

import { loadServerDocument } from '../../../server-reference/src/api/server-document.ts';
import { compiledProgram } from '../../compiled-program.ts';

const SCRIPT = compiledProgram(new URL('programs/play.ts', import.meta.url));

type Transcript = readonly string[];

/** The transcript of the script for each seed, all in one process. */
async function play(...seeds: number[]): Promise<Transcript[]> {
  const { stdout } = await promisify(execFile)('node', [SCRIPT, ...seeds.map(String)], {
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(stdout) as Transcript[];
}

/** The operations, as method and path template, without a successful response. */
function withoutSuccess(
  lines: Transcript,
  prefix: string,
  operations: readonly { readonly method: string; readonly path: string }[],
): string[] {
  const succeeded = lines
    .map((line) => line.split('\n', 3))
    .filter(([, , status]) => /^2\d\d$/.test(status ?? ''))
    .map(([method, path]) => `${method} ${path?.split('?', 1)[0]}`);
  return operations
    .map(({ method, path }) => `${method.toUpperCase()} ${prefix}${path}`)
    .filter((operation) => {
      const pattern = new RegExp(
        `^${operation.replaceAll(/\{path\}/g, '.+').replaceAll(/\{\w+\}/g, '[^/]+')}$`,
      );
      return !succeeded.some((one) => pattern.test(one));
    });
}

let [first, second, other, elsewhere]: Transcript[] = [];

beforeAll(async () => {
  [[first, second, other], [elsewhere]] = await Promise.all([play(7, 7, 8), play(7)]);
});

test('the same seed and script give the same bytes, twice in one process and in another', () => {
  expect(first?.length).toBeGreaterThan(200);
  expect(second).toEqual(first);
  expect(elsewhere).toEqual(first);
});

test('another seed gives other bytes', () => {
  const same = first?.filter((line) => other?.includes(line)) ?? [];
  expect(same.length).toBeLessThan((first?.length ?? 0) / 20);
});

test('the script calls every operation of both interfaces with success', () => {
  const lines = first ?? [];
  const contract = loadServerDocument();
  const api = [...listOperations(contract), ...listCompanions(contract)];
  expect(withoutSuccess(lines, '', api)).toEqual([]);
  // A stream does not end, so the script does not read it.
  const control = listControlOperations(loadControl());
  expect(withoutSuccess(lines, '/_control', control)).toEqual(['GET /_control/stream']);
  expect(lines.filter((line) => line.startsWith('arrival\n')).length).toBeGreaterThan(30);
});
