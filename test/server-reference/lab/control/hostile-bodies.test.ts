import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { listenAt } from '../../events/endpoint-listener.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';
import { START, controlClient, startControlled } from './control-client.ts';
import type { ControlClient } from './control-client.ts';

let server: ReferenceServer;
let control: ControlClient;
beforeAll(async () => {
  server = await createServer({
    store: { kind: 'memory' },
    clock: virtualClock({ now: START, stallTimeoutMilliseconds: 5_000 }),
  });
  control = controlClient(server);
});
afterAll(() => server.close());

describe('a hostile body', () => {
  const bodies: readonly (readonly [string, string, string, number])[] = [
    ['deep arrays', '/runs', `{"output":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 400],
    ['deep objects', '/runs', `{"output":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`, 400],
    ['__proto__ beside the body', '/runs', '{"__proto__":{"status":"running"}}', 400],
    ['constructor beside the body', '/runs', '{"constructor":{"prototype":{}}}', 400],
    ['__proto__ in a change', '/runs/RUN/moves', '{"status":"running","__proto__":{}}', 400],
    ['__proto__ as a status', '/runs/RUN/moves', '{"status":"__proto__"}', 400],
    ['a list as a status', '/runs/RUN/moves', '{"status":["running"]}', 400],
    ['null as a body', '/worlds', 'null', 400],
    ['a text as a body', '/runs', '"running"', 400],
    ['an endless number', '/clock/advance', '{"milliseconds":1e999}', 400],
    ['a number as text', '/clock/advance', '{"milliseconds":"5"}', 400],
    ['many unknown fields', '/runs', `{${fields(20_000)}}`, 400],
    [
      'many headers',
      '/webhook-endpoints',
      `{"url":"http://x/","headers":{${fields(20_000)}}}`,
      400,
    ],
    ['two bodies', '/runs', '{}{}', 400],
    ['a byte order mark', '/runs', '\ufeff{"status":5}', 400],
  ];

  test.each(bodies)('with %s', async (_what, path, body, status) => {
    const { controlUrl, controlToken, world } = server;
    const response = await fetch(controlUrl + path.replace('RUN', world.fixtures.runId), {
      method: 'POST',
      headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
      body,
    });
    expect([response.status, (await response.text()).length < 20_000]).toEqual([status, true]);
    expect({}).not.toHaveProperty('status');
    expect((await control.run()).status).toBe('pending');
  });
});

test('keys such as __proto__ in an output remain data in the event and in the response', async () => {
  const path = await temporaryFolder();
  const onFolder = await startControlled({ store: { kind: 'folder', path } });
  const listener = await listenAt();
  await onFolder.endpoint(listener.url);
  const output = JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":2},"toString":3}');
  const { id } = await onFolder.run({ output });
  const [arrival] = await listener.arrived(1);
  const text = JSON.stringify(output);
  expect(arrival?.body.toString('utf8')).toContain(text);
  expect(JSON.stringify(await onFolder.expectOk(200, `/runs/${id}`))).toContain(text);
});

function fields(count: number): string {
  return Array.from({ length: count }, (_, index) => `"f${index}":"x"`).join(',');
}
