import { expect, test } from 'vitest';

import { parsingApp, plainApp } from './apps.ts';
import { arrivedIn, SCENARIOS, to } from './expected-scenarios.ts';
import { inProcess } from './in-process.ts';

test('the list names every scenario with the response that it expects', async () => {
  const { stdout } = await inProcess(['trigger', '--list', '--json']);
  const listed = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(listed.map(({ name }) => name)).toEqual(Object.keys(SCENARIOS));
  for (const { name, expects, receiver } of listed) {
    const { arrived, receiver: statuses } = SCENARIOS[name] ?? expect.unreachable();
    expect(expects).toBe(arrived.length === 0 ? '4xx' : '2xx');
    expect(receiver).toBe(statuses?.join(', then ').replace('202', '2xx') ?? '2xx');
  }
});

// One of each kind; every scenario is sent in every-scenario.system.test.ts.
test.each(['waiting', 'out-of-order', 'duplicates', 'unknown-type', 'wrong-secret'])(
  '%s arrives at a plain verifier, which responds as expected',
  async (name) => {
    const { arrived, copies = 1 } = SCENARIOS[name] ?? expect.unreachable();
    const app = await plainApp();
    const { code, stdout } = await to(app.url, name);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(/as expected\.$/m);
    expect(app.accepted).toHaveLength(arrived.length * copies);
    expect(arrivedIn(app.accepted)).toEqual(arrived);
  },
);

test('trigger shows the cause to an app that verifies what it has parsed', async () => {
  const app = await parsingApp();
  const { code, stdout } = await to(app.url, 'failed');
  expect(code).toBe(1);
  expect(stdout).toContain('→ 401 ');
  expect(stdout).toContain('{"error":"bad signature"}  not retried');
  expect(stdout.match(/^ {4}Fix: Look for what answers before the webhook route/gm)).toHaveLength(
    1,
  );
  expect(stdout).toMatch(/^3 of 3 deliveries were refused with 401 \(expected 2xx\)\.$/m);
});
