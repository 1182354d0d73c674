import { describe, expect, test } from 'vitest';

import { hookproof, serve, stateFile } from '../hookproof.ts';
import { plainApp, receiverApp, SECRET } from './apps.ts';
import { arrivedIn, SCENARIOS, to } from './expected-scenarios.ts';

describe.each(Object.entries(SCENARIOS))('%s', (name, { arrived, copies = 1, ...more }) => {
  test.each(['live', 'ordered'] as const)('is handled by a receiver in mode %s', async (mode) => {
    const app = await receiverApp(mode);
    const { code, stdout } = await to(app.url, name);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    const statuses = [...stdout.matchAll(/→ (\d+) /g)].map(([, status]) => status);
    if (more.receiver === undefined)
      expect(statuses.every((one) => one?.startsWith('2'))).toBe(true);
    else expect(statuses).toEqual(more.receiver);
    const handled = more.handled ?? arrived;
    await expect.poll(() => app.handled).toHaveLength(handled.length);
    if (mode === 'ordered') expect(app.handled).toEqual(handled);
    else expect(app.handled.toSorted()).toEqual(handled.toSorted());
  });

  test('is sent by the running server, which records every attempt', async () => {
    const app = await plainApp();
    const env = { HOOKPROOF_STATE_FILE: stateFile() };
    const server = await serve(['--forward-to', app.url, '--secret', SECRET], { env });
    const { code, stdout } = await hookproof(['trigger', name, '--json'], { env });
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(arrivedIn(app.accepted).toSorted()).toEqual(arrived.toSorted());
    expect(app.accepted).toHaveLength(arrived.length * copies);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const response = await fetch(`${server.controlUrl}/deliveries`, {
      headers: { authorization: `Bearer ${server.controlToken}` },
    });
    const { data }: { data: { attempts: object[] }[] } = await response.json();
    const recorded = data.flatMap(({ attempts }) => attempts);
    expect(lines.filter(({ event }) => event === 'attempt')).toHaveLength(recorded.length);
    expect(lines.at(-1)).toMatchObject({ event: 'result', scenario: name, isExpected: true });
  });
});
