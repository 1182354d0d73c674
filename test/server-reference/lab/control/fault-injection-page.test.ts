import { readFileSync } from 'node:fs';

import { DELIVERY_FAULT_NAMES, loadControl } from '@hookproof/spec/control';
import { expect, test } from 'vitest';

import type { InjectedApiFault } from '../../../../server-reference/src/lab/api-faults/api-fault-plan.ts';
import type { AttemptDetail } from '@hookproof/spec/control';
import { call } from '../../contract-client.ts';
import { listenAt } from '../../events/endpoint-listener.ts';
import { startControlled } from './control-client.ts';

const readme = readFileSync(
  new URL('../../../../server-reference/README.md', import.meta.url),
  'utf8',
);
const page = /\n## Fault injection\n([^]*)$/.exec(readme)?.[1] ?? '';

type Controlled = Awaited<ReturnType<typeof startControlled>>;

interface Line {
  readonly name: string;
  readonly path: string;
  readonly json: Record<string, unknown>;
}

/** The rows of a table whose last cell is a command. */
function linesTo(path: string): Line[] {
  return [...page.matchAll(/^\| (.+?) +\| .*? \| `order (\S+) '(.*?)'` +\|$/gm)]
    .map(([, name = '', to = '', json = '']) => ({
      name: name.replaceAll('`', ''),
      path: to,
      json: JSON.parse(json),
    }))
    .filter((line) => line.path === path);
}

const deliveryFaults = linesTo('/delivery-faults');
const faults = linesTo('/api-faults');

test('the page has every delivery fault in order, and each command injects its own', () => {
  expect(deliveryFaults.map(({ name }) => name)).toEqual(DELIVERY_FAULT_NAMES);
  expect(deliveryFaults.map(({ json }) => json['name'])).toEqual(DELIVERY_FAULT_NAMES);
});

const SIGNED_LATER = ['webhook-signature', 'webhook-timestamp'];

/** What differs in the requests of the attempts that a delivery fault hits. */
const DIFFERS: Record<string, readonly (readonly string[])[]> = {
  duplicate: [[], [], []],
  reorder: [[], [], []],
  delay: [[]],
  'drop-then-redeliver': [[]],
  'stale-timestamp': [SIGNED_LATER],
  'future-timestamp': [SIGNED_LATER],
  'wrong-secret': [['webhook-signature']],
  'tampered-body': [['body']],
  'truncated-body': [[]],
  'slow-drip': [[]],
};

test.each(deliveryFaults)('the delivery fault $name applies', async ({ name, path, json }) => {
  const control = await startControlled();
  const app = await listenAt();
  await control.endpoint(app.url);
  await control.expectOk(201, path, json);
  const run = await control.run({
    scheduledTransitions: [
      { status: 'running', afterMilliseconds: 0 },
      { status: 'cancelled', afterMilliseconds: 0 },
    ],
  });
  await control.advance(120_000);
  expect((await control.settled(`?runId=${run.id}`)).length).toBeGreaterThanOrEqual(3);
  const altered: string[][] = [];
  for (const { id: delivery, status, attempts } of await control.deliveries()) {
    expect(status).toBe('delivered');
    for (const { number, deliveryFault } of attempts) {
      if (deliveryFault !== name) continue;
      const detail = `/deliveries/${delivery}/attempts/${number}`;
      altered.push((await control.expectOk<AttemptDetail>(200, detail)).differs);
    }
  }
  expect(altered).toEqual(DIFFERS[name]);
});

test('the page has every effect of an API fault', () => {
  const known = Object.keys(loadControl().components.schemas['ApiFaultEffect']?.properties ?? {});
  const shown = new Set(faults.flatMap(({ json }) => Object.keys(Object(json['effect']))));
  expect(known.length).toBeGreaterThan(3);
  expect([...shown].toSorted()).toEqual(known.toSorted());
});

const SEEN: Record<string, RegExp> = {
  latency: /^200 {"ok":true/,
  '429': /^429 {"issues":.*injected_fault/,
  '503': /^503 {"issues":.*injected_fault/,
  '500': /^500 {"issues":.*injected_fault/,
  reset: /^ECONNRESET$/,
  'truncated body': /^(UND_ERR_SOCKET|ECONNRESET)$/,
};

test.each(faults)('the effect $name of an API fault applies', async ({ name, path, json }) => {
  const control = await startControlled();
  const { id } = await control.expectOk<InjectedApiFault>(201, path, json);
  const seen: string[] = [];
  // Enough calls for a probability of one half and for a second hit.
  for (let calls = 0; calls < 10 && (await hits(control, id)) === 0; calls += 1) {
    seen.push(await checkAuth(control));
  }
  expect(seen.at(-1)).toMatch(SEEN[name] ?? expect.unreachable(name));
});

async function hits(control: Controlled, id: string): Promise<number> {
  const { data } = await control.expectOk<{ data: InjectedApiFault[] }>(200, '/api-faults');
  return data.find((fault) => fault.id === id)?.hits ?? 0;
}

/** Status and body, or why there are none; the clock advances over latency. */
async function checkAuth(control: Controlled): Promise<string> {
  const { baseUrl, world } = control.server;
  const response = call(baseUrl, { path: '/v1/auth/check', key: world.keys.wildcard }).then(
    ({ status, body }) => `${status} ${JSON.stringify(body)}`,
    (error: NodeJS.ErrnoException) => String(error.code),
  );
  const advanced = async (): Promise<null> => {
    await control.advance(2_000);
    return null;
  };
  let seen: string | null = null;
  while (seen === null) seen = await Promise.race([response, advanced()]);
  return seen;
}
