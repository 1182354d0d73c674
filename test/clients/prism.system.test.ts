import { createServer, virtualClock } from '@hookproof/server-reference';
import type { Issue } from '@hookproof/spec';
import type { Operation } from '@hookproof/spec/openapi';
import { expect, onTestFinished, test } from 'vitest';

import { hookproofProcess, optionsOf } from '../bin/hookproof.ts';
import { OPERATIONS, documentedPairs } from '../server-reference/api/responses/documented-pairs.ts';
import { requestOf } from '../server-reference/api/responses/requests.ts';
import { openSandbox } from '../server-reference/api/responses/sandbox.ts';
import { START } from '../server-reference/lab/control/control-client.ts';
import { judgeByPrism } from './prism.ts';
import type { Verdict } from './prism.ts';
import { recordExchanges } from './recorded-exchanges.ts';
import type { Exchange } from './recorded-exchanges.ts';

const DOCUMENT = new URL(import.meta.resolve('@hookproof/server-reference/openapi.json'));

test('a prism proxy agrees with every exchange of the suite and of every operation', async () => {
  const exchanges = (await recordEverything()).filter((one) => routeOf(one) !== undefined);
  const verdicts = await judgeByPrism(DOCUMENT, exchanges, targetForPrism);
  const succeeded = exchanges.filter(({ status }) => status < 300);
  expect(new Set(succeeded.map((one) => routeOf(one)?.operation.operationId))).toEqual(
    new Set(OPERATIONS.map(({ operationId }) => operationId)),
  );
  expect(verdicts.flatMap(describeDisagreement)).toEqual([]);
});

const WITH_RANGES = new Set(
  documentedPairs().flatMap(({ operation, status }) =>
    status === 206 ? operation.operationId : [],
  ),
);

/** Records the requests of the suite, and of each operation some that succeed and one that is refused with 400. */
async function recordEverything(): Promise<readonly Exchange[]> {
  const server = await createServer({
    store: { kind: 'memory' },
    clock: virtualClock({ now: START }),
  });
  onTestFinished(() => server.close());
  const exchanges: Exchange[] = [];
  const recorder = await recordExchanges(server.baseUrl, exchanges);
  onTestFinished(() => recorder.close());
  for (const { operationId } of OPERATIONS) {
    const sandbox = await openSandbox({ ...server, baseUrl: recorder.url });
    const good = await requestOf(sandbox, operationId);
    await sandbox.send(operationId, good);
    if (WITH_RANGES.has(operationId)) {
      await sandbox.send(operationId, { ...good, headers: { range: 'bytes=1-3' } });
    }
    await sandbox.send(operationId, await requestOf(sandbox, operationId, 400));
  }
  const recorded = { ...server, baseUrl: recorder.url, appUrl: recorder.url };
  const access = ['--key', server.world.keys.wildcard, '--allow-writes', '--allow-deletes'];
  const { code, stdout } = await hookproofProcess(['check', ...optionsOf(recorded), ...access]);
  expect(code, stdout).toBe(0);
  return exchanges;
}

/** Prism takes a list of files with one part for a text. */
const OWN_FAULT = 'request.body.file: Request body property file must be array';

/** What the document and the server say differently about an exchange. */
function describeDisagreement({ exchange, request, response }: Verdict): string[] {
  const { method, target, status, responseBody } = exchange;
  const wrong = [
    ...response,
    ...(status < 400 ? request.filter((one) => one !== OWN_FAULT) : []),
    ...(isInvalid(exchange) && request.length === 0 ? [`refused: ${responseBody.toString()}`] : []),
  ];
  return wrong.map((what) => `${method} ${target} ${status}: ${what}`);
}

/** Whether a response refuses the form of a request. No schema has the syntax of a YAML text. */
function isInvalid({ status, responseBody }: Exchange): boolean {
  if (status !== 400) return false;
  const { issues }: { issues: Issue[] } = JSON.parse(responseBody.toString());
  return issues.some(({ code, field }) => code === 'invalid_value' && field !== 'yaml');
}

interface Route {
  readonly operation: Operation;
  readonly pattern: RegExp;
  readonly slashed: string | undefined;
}

/** Literal paths before those with parameters. */
const ROUTES: readonly Route[] = OPERATIONS.map((operation) => {
  const { path, parameters } = operation;
  const slashed = parameters.find((one) => one['x-slash-delimited'] === true)?.name;
  const pattern = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    name === slashed ? '(?<slashed>.+)' : '[^/]+',
  );
  return { operation, pattern: new RegExp(`^${pattern}$`), slashed };
}).toSorted((one, other) => parametersOf(one) - parametersOf(other));

function parametersOf({ operation }: Route): number {
  return operation.path.split('{').length;
}

function routeOf({ method, target }: Exchange): Route | undefined {
  const [path = ''] = target.split('?');
  return ROUTES.find(({ operation, pattern }) => operation.method === method && pattern.test(path));
}

/** OpenAPI has no parameter with slashes, so prism gets them encoded. */
function targetForPrism(exchange: Exchange): string {
  const { target } = exchange;
  const [path = ''] = target.split('?');
  const slashed = routeOf(exchange)?.pattern.exec(path)?.groups?.['slashed'];
  return slashed === undefined ? target : target.replace(slashed, slashed.replaceAll('/', '%2F'));
}
