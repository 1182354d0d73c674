import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { checks } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';
import { beforeAll, describe, expect, test } from 'vitest';

import { compiledProgram } from '../../compiled-program.ts';

let reports: Record<string, Report> = {};
let terminal = '';
beforeAll(async () => {
  const program = compiledProgram(new URL('../programs/fuzz.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    maxBuffer: 64 * 1024 * 1024,
  });
  ({ reports, terminal } = JSON.parse(stdout));
});

function report(name: string): Report {
  const found = reports[name];
  if (found === undefined) throw new Error(`the program made no report ${name}`);
  return found;
}

describe('generated requests', () => {
  test('find nothing in the reference server, reads only', () => {
    const { checks: judged, wire } = report('reads');
    expect(judged.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(judged.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(4);
    expect(wire.writes).toBe(0);
  });

  test('find nothing in the reference server, writes included', () => {
    const { checks: judged, wire } = report('writes');
    const others = judged.filter(({ verdict }) => verdict !== 'pass');
    expect(others.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
    expect(wire.writes).toBeGreaterThan(50);
  });

  test('a crash on an unusual parameter is shrunk to one request with its curl line and seed', () => {
    const [check] = report('crash').checks;
    expect(check?.verdict).toBe('fail');
    expect(check?.message).toMatch(
      /expected a response below 500, got status 500.*--fuzz SECONDS,\d+ --only api\.fuzz\.templates/s,
    );
    const url = new URL(check?.violation?.exchange?.request.url ?? '');
    expect([...url.searchParams.keys()].toSorted()).toEqual(['limit', 'offset']);
    expect(terminal).toMatch(/curl .*offset=/);
  });

  test.each([
    { name: 'envelope', expected: /expected an error envelope, got / },
    { name: 'schema', expected: /expected a body that fits its schema/ },
    { name: 'limit', expected: /expected a 4xx, because of limit, got status 200/ },
    { name: 'dropped', expected: /expected a response, got no response from/ },
  ])('a wrong $name is found', ({ name, expected }) => {
    expect(report(name).checks.map(({ message }) => message)).toEqual([
      expect.stringMatching(expected),
    ]);
  });

  test('belong to no check of the catalogue', () => {
    expect(checks.filter(({ id }) => id.startsWith('api.fuzz'))).toEqual([]);
  });
});
