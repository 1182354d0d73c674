import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

import { checks } from '@hookproof/conformance';
import type { HttpExchange } from '@hookproof/conformance';

import { planFrom } from '../../../conformance/src/options/plan.ts';
import { reproductionOf } from '../../../conformance/src/report/reproduce/reproduction.ts';

const plan = planFrom({ baseUrl: 'https://api.example' });
const check = checks.find(({ side }) => side === 'api');

/** The only line of a request of an API check; null without one. */
function curlOf(shown: HttpExchange): string | null {
  const failure = { check: check ?? expect.fail('no check'), exchange: shown, steps: [] };
  const { commands } = reproductionOf(failure, plan, { keys: {}, fixtures: {} });
  return commands[0] ?? null;
}

function exchange(request: Partial<HttpExchange['request']>): HttpExchange {
  return {
    sentBy: 'suite',
    request: { method: 'GET', url: 'https://api.example/', headers: [], body: null, ...request },
    response: null,
  };
}

/** What a real shell hands to curl. */
function argumentsOf(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; ${line}`;
  const env = { HOOKPROOF_KEY: 'the key' };
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
}

test('passes every byte through a shell and expands the key', () => {
  const hostile = `it's "quoted" \`id\` $(id) $HOME \\ ; rm -rf / \n next`;
  const line = curlOf(
    exchange({
      method: 'PATCH',
      url: 'https://api.example/?a=1&b=2',
      headers: [
        ['authorization', 'Bearer $HOOKPROOF_KEY'],
        ['x-hostile', hostile],
      ],
      body: hostile,
    }),
  );
  expect(argumentsOf(line ?? '')).toEqual([
    '-i',
    '-X',
    'PATCH',
    'https://api.example/?a=1&b=2',
    '-H',
    'authorization: Bearer the key',
    '-H',
    `x-hostile: ${hostile}`,
    '--data-binary',
    hostile,
  ]);
});

test('is null for a request of the target and for a shortened body', () => {
  expect(curlOf({ ...exchange({}), sentBy: 'target' })).toBeNull();
  expect(curlOf(exchange({ body: 'abc… (9000 bytes in all)' }))).toBeNull();
  expect(curlOf(exchange({ body: '(not UTF-8, base64) /w==' }))).toBeNull();
});
