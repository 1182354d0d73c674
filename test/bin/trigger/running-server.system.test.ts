import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { verify } from '@hookproof/receiver/verify';
import { describe, expect, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { listenAt, statuses } from '../../server-reference/events/endpoint-listener.ts';
import { controlClient } from '../../server-reference/lab/control/control-client.ts';
import { hookproof, serve, stateFile } from '../hookproof.ts';
import type { Serving } from '../hookproof.ts';
import { plainApp, receiverApp, SECRET } from './apps.ts';
import { arrivedIn } from './expected-scenarios.ts';
import { inProcess } from './in-process.ts';

/** A type alias, because an interface is not a record. */
type Env = { readonly HOOKPROOF_STATE_FILE: string };

const LINEAR = ['pending', 'running', 'finalizing', 'completed'];

async function serveTo(url: string, ...args: string[]): Promise<[Serving, Env]> {
  const env = { HOOKPROOF_STATE_FILE: stateFile() };
  return [await serve(['--forward-to', url, '--secret', SECRET, ...args], { env }), env];
}

test('two commands bring the events of a run, whose run the API has', async () => {
  const app = await listenAt(statuses(204));
  const env = { HOOKPROOF_STATE_FILE: stateFile() };
  const server = await serve(['--forward-to', app.url], { env });
  const { code, stdout, stderr } = await hookproof(['trigger'], { env });
  expect(stderr).toMatch(`Using the running server at ${server.baseUrl}, which started at `);
  expect(code).toBe(0);
  expect(stdout.replaceAll(/\d+ ms/g, 'n ms')).toBe(
    [
      `completed: a workflow run that succeeds with an output → ${app.url}`,
      '  run.created pending           → 204  n ms',
      '  run.status_changed running    → 204  n ms',
      '  run.status_changed finalizing → 204  n ms',
      '  run.status_changed completed  → 204  n ms',
      '4 deliveries got 2xx as expected.',
      '',
    ].join('\n'),
  );
  const secrets = String(server.ready['secret']);
  const events = app.arrivals.map(({ body, headers }) => verify(body, headers, { secrets }));
  const [run] = events.map((event) => (event.type === 'unknown' ? null : event.data.run));
  const { data } = await controlClient(server).expectOk<{ data: { id: string; status: string }[] }>(
    200,
    '/runs',
  );
  expect(data.find(({ id }) => id === run?.id)).toMatchObject({ status: 'completed' });
});

describe('through the running server', () => {
  test('faults, held events and sent payloads are on its record', async () => {
    const app = await plainApp();
    const [server, env] = await serveTo(app.url);
    const lines: [string, number, string][] = [
      ['wrong-secret', 0, '1 delivery got 4xx as expected.'],
      ['gap', 0, '1 delivery held back for a day.'],
      ['out-of-order', 0, '4 deliveries got 2xx as expected.'],
      ['unknown-type', 0, '1 delivery got 2xx as expected.'],
      ['test-event', 0, 'run.created (test)            → 204'],
    ];
    for (const [name, code, text] of lines) {
      const result = await inProcess(['trigger', name], env);
      expect(result).toMatchObject({ code, stdout: expect.stringContaining(text) });
    }
    const { data } = await controlClient(server).expectOk<{
      data: { status: string; type: string }[];
    }>(200, '/deliveries');
    expect(data.map(({ status }) => status)).toEqual([
      'ended',
      'delivered',
      'pending',
      ...Array(8).fill('delivered'),
    ]);
    expect(arrivedIn(app.accepted.slice(3, 7))).toEqual(LINEAR.toReversed());
    expect(data.some(({ type }) => type === 'run.archived')).toBe(true);
    expect(await controlClient(server).expectOk(200, '/delivery-faults')).toMatchObject({
      data: expect.any(Array),
    });
  });

  test('the same payloads can be sent again by their seed', async () => {
    const app = await plainApp();
    const [, env] = await serveTo(app.url);
    for (const _ of [1, 2]) {
      const { code } = await inProcess(['trigger', 'failed', '--seed', '1'], env);
      expect(code).toBe(0);
    }
    expect(app.accepted.slice(3).map(String)).toEqual(app.accepted.slice(0, 3).map(String));
  });

  test('an app that refuses gets an explanation, once', async () => {
    const app = await listenAt((response) => {
      response.statusCode = 401;
      response.end('{"code":"signature_mismatch"}');
    });
    const [, env] = await serveTo(app.url);
    const { code, stdout } = await inProcess(['trigger', 'rejected'], env);
    expect(code).toBe(1);
    expect(stdout.match(/→ 401 {2}\d+ ms {2}signature_mismatch {2}not retried$/gm)).toHaveLength(2);
    expect(stdout.match(/Fix: Set the secret of the app to that of this endpoint/g)).toHaveLength(
      1,
    );
    expect(stdout).toMatch(/^2 of 2 deliveries were refused with 401 \(expected 2xx\)\.$/m);
    const [, id = ''] = /^More: hookproof explain --delivery (dlv_\w+)$/m.exec(stdout) ?? [];
    const explained = await inProcess(['explain', '--delivery', id], env);
    expect(explained.stdout).toContain('Body of the response: {"code":"signature_mismatch"}');
    expect(explained.stdout).toContain('Fix: Set the secret of the app');
    expect(explained.stdout).not.toContain('Express');
    expect(explained.stdout.replaceAll(/\s+/g, ' ')).toContain('hookproof redeliver ended.');
  });

  test('a failure of our receiver has its fix in one line, once, and all of it can be sent again', async () => {
    let isBroken = true;
    const app = await listenAt((response) => {
      response.statusCode = isBroken ? 500 : 202;
      response.end(isBroken ? '{"code":"body_already_read"}' : undefined);
    });
    const [, env] = await serveTo(app.url, '--retry-profile', 'instant');
    const failed = await inProcess(['trigger'], env);
    expect(failed.code).toBe(1);
    const [, first, fix, ...rest] = failed.stdout.trimEnd().split('\n');
    expect(first).toMatch(
      /^ {2}run\.created pending {11}→ 500 {2}\d+ ms {2}body_already_read {2}retry in/,
    );
    expect(fix).toBe('    Fix: Put the webhook route before any body parser (express.json()).');
    expect(rest.slice(3)).toEqual([
      '  → 28 more with 500 body_already_read',
      '4 of 4 deliveries got 500 (expected 2xx).',
      expect.stringContaining('More: hookproof explain --delivery dlv_'),
      'After a fix: hookproof redeliver ended',
    ]);
    const again = await inProcess(['redeliver', 'ended'], env);
    expect(again.code).toBe(1);
    expect(again.stdout.match(/Fix:/g)).toHaveLength(1);
    expect(again.stdout).toContain('4 deliveries sent again: 4 got 500 body_already_read.\n');
    const explained = await inProcess(['explain', '--delivery', 'last'], env);
    expect(explained.stdout).toContain(
      'It is not retried: the server had given up after 8 attempts.',
    );
    isBroken = false;
    const { code, stdout } = await inProcess(['redeliver', 'ended'], env);
    expect(code).toBe(0);
    expect(stdout.match(/→ 202 .*attempt 10 {2}accepted$/gm)).toHaveLength(4);
    expect(stdout).toMatch(/\n4 deliveries sent again: 4 got 202 \(accepted\)\.\n$/);
    const none = await inProcess(['redeliver', 'ended'], env);
    expect(none.stderr).toContain('No delivery has ended without a 2xx');
  });

  test('several rounds show each line once, and end with a total', async () => {
    const app = await receiverApp('live');
    const [, env] = await serveTo(app.url);
    const { stdout } = await inProcess(['trigger', 'duplicates', '--times', '5'], env);
    expect(stdout.match(/→/g)).toHaveLength(9);
    expect(stdout.split('\n').slice(-3)).toEqual([
      '40 deliveries in 5 rounds got 2xx as expected.',
      '20 events, 40 attempts: 20 accepted, 20 recognized as duplicates, so each event is stored for its handlers once.',
      '',
    ]);
    await app.idle();
    expect(app.handled).toHaveLength(20);
  });

  test('retries that the command does not wait for continue, and a virtual clock is named', async () => {
    const app = await listenAt(statuses(503, 204, 204));
    const [, env] = await serveTo(app.url, '--clock', 'virtual');
    const { code, stdout } = await inProcess(['trigger', 'test-event'], env);
    expect(code).toBe(1);
    expect(stdout).toContain('Continue with: hookproof clock next');
    await inProcess(['clock', 'next'], env);
    expect(app.arrivals).toHaveLength(2);
  });

  test('every enabled endpoint gets the events, and each line has its URL', async () => {
    const [one, two] = [await listenAt(statuses(204)), await listenAt(statuses(204))];
    const [, env] = await serveTo(one.url, '--forward-to', two.url);
    const variable = { WEBHOOK_SECRET: 'that of another program' };
    const { stdout } = await inProcess(['trigger', 'stale'], { ...env, ...variable });
    expect(stdout).toMatch(/^2 of 2 deliveries were accepted with 204 \(expected 4xx\)\.$/m);
    for (const { url } of [one, two]) expect(stdout).toContain(`stale-timestamp  ${url}`);
  });

  test('needs an enabled endpoint', async () => {
    const env = { HOOKPROOF_STATE_FILE: stateFile() };
    await serve([], { env });
    const { code, stderr } = await inProcess(['trigger'], env);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'has no enabled webhook endpoint. Start it with hookproof serve --forward-to URL.',
    );
  });
});

test('trigger names the id that two payloads have', async () => {
  const app = await plainApp();
  const [, env] = await serveTo(app.url);
  const file = join(emptyFolder(), 'event.json');
  const send = (status: string) => {
    writeFileSync(file, JSON.stringify({ id: 'whev_1', data: { run: { id: 'exec_1', status } } }));
    return inProcess(['trigger', '--payload', file], env);
  };
  expect((await send('pending')).code).toBe(0);
  const { code, stderr } = await send('failed');
  expect(code).toBe(2);
  expect(stderr).toContain('payload must have an id that no event with another payload has.');
});

describe('hookproof redeliver', () => {
  test('repeats the last delivery, a delivery or an event with the same bytes', async () => {
    const app = await plainApp();
    const [, env] = await serveTo(app.url);
    const none = await inProcess(['redeliver'], env);
    expect(none.stderr).toContain('There is no delivery yet. Make one with hookproof trigger.');
    const { stdout } = await inProcess(['trigger', 'rejected', '--json'], env);
    const { deliveryId, eventId } = JSON.parse(stdout.split('\n')[0] ?? '');
    const last = await inProcess(['redeliver'], env);
    expect(last.code).toBe(0);
    expect(last.stdout).toMatch(
      /^ {2}run\.status_changed rejected {3}→ 204 {2}\d+ ms {2}attempt 2\n1 delivery sent again: 1 got 204\.\n$/,
    );
    expect((await inProcess(['redeliver', deliveryId], env)).code).toBe(0);
    const json = await inProcess(['redeliver', eventId, '--json'], env);
    expect(JSON.parse(json.stdout)).toMatchObject({
      event: 'attempt',
      eventId,
      number: 3,
      trigger: 'manual',
    });
    const [first, second, again, third, fourth] = app.accepted.map(String);
    expect([again, third, fourth]).toEqual([second, first, first]);
  });

  test('ends with 1 if the app refuses again', async () => {
    const app = await listenAt(statuses(401));
    const [, env] = await serveTo(app.url);
    await inProcess(['trigger', 'rejected'], env);
    const { code, stdout } = await inProcess(['redeliver', 'last'], env);
    expect(code).toBe(1);
    expect(stdout).toMatch(/→ 401 .*not retried\n {4}Fix: /);
    await inProcess(['redeliver', 'ended'], env);
    expect(app.arrivals).toHaveLength(5);
  });

  test('names what it takes', async () => {
    const app = await plainApp();
    const [, env] = await serveTo(app.url);
    for (const [which, message] of [
      ['dlv_none', 'got dlv_none: no delivery has this id. Copy an id from'],
      ['whev_none', 'The server has no delivery of event whev_none.'],
      ['first', 'the ID of a delivery (dlv_…) or event (whev_…), got first.'],
    ] as const) {
      const { code, stderr } = await inProcess(['redeliver', which], env);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    }
  });
});

describe('hookproof clock', () => {
  const START = ['--clock', 'virtual', '--now', '2026-07-01T00:00:00Z'];

  test('shows a virtual clock, advances it, and goes on to what is due', async () => {
    const env = { HOOKPROOF_STATE_FILE: stateFile() };
    await serve(START, { env });
    const clock = async (...args: string[]) => (await inProcess(['clock', ...args], env)).stdout;
    expect(await clock()).toMatch(
      /^2026-07-01T00:00:00\.000Z {2}virtual clock {2}(next due|nothing is due)/,
    );
    expect(await clock('+1h30m')).toContain('2026-07-01T01:30:00.000Z  virtual clock');
    expect(await clock('+3d')).toContain('2026-07-04T01:30:00.000Z');
    expect(await clock('+500ms')).toContain('2026-07-04T01:30:00.500Z');
    const { nextDueAt } = JSON.parse(await clock('--json'));
    if (nextDueAt !== null) expect(await clock('next')).toContain(nextDueAt);
  });

  test('shows a real clock, which cannot be advanced', async () => {
    const env = { HOOKPROOF_STATE_FILE: stateFile() };
    await serve([], { env });
    expect((await inProcess(['clock'], env)).stdout).toMatch(/^\S+Z {2}real clock\n$/);
    for (const args of [['+1h'], ['next']]) {
      const { code, stderr } = await inProcess(['clock', ...args], env);
      expect(code).toBe(2);
      expect(stderr).toContain('Start the server with hookproof serve --clock virtual.');
    }
  });
});
