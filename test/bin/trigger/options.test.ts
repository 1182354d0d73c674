import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { listenAt, statuses } from '../../server-reference/events/endpoint-listener.ts';
import { plainApp, SECRET } from './apps.ts';
import { to } from './expected-scenarios.ts';
import { inProcess } from './in-process.ts';

interface Payload {
  readonly id: string;
  readonly createdAt: string;
  readonly data: { readonly run: Record<string, unknown> };
}

async function printed(...args: string[]): Promise<Payload[]> {
  const { code, stdout, stderr } = await inProcess(['trigger', '--print', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function fileWith(value: unknown, name = 'event.json'): string {
  const file = join(emptyFolder(), name);
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
}

describe('--print and --seed', () => {
  test('the same seed gives the same bytes, and other numbers and rounds others', async () => {
    const first = await printed('failed', '--seed', '7', '--times', '2');
    expect(await printed('failed', '--seed', '7', '--times', '2')).toEqual(first);
    const ids = [...first, ...(await printed('failed', '--seed', '8'))].map(({ id }) => id);
    expect(new Set(ids).size).toBe(9);
    expect(first[0]?.createdAt).toBe('2026-07-01T12:00:00.000Z');
  });

  test('without a seed, ids are new and times are current', async () => {
    const before = Date.now();
    const [one] = await printed('rejected');
    const [two] = await printed('rejected');
    expect(one?.id).not.toBe(two?.id);
    expect(Date.parse(one?.createdAt ?? '')).toBeGreaterThanOrEqual(before);
  });

  test('what is printed is what is sent', async () => {
    const app = await plainApp();
    const { stdout } = await inProcess(['trigger', 'agent', '--seed', '3', '--print']);
    await to(app.url, 'agent', '--seed', '3');
    expect(app.accepted.map((body) => `${body.toString()}\n`).join('')).toBe(stdout);
  });
});

describe('--payload and --from', () => {
  const PAYLOAD =
    '{ "id": "whev_mine", "type": "run.created", "apiVersion": "2026-07-01",\n"createdAt": "2026-07-01T12:00:00Z", "test": false, "data": {"run":{"id":"exec_mine","status":"pending"}}}\n';

  test('a whole payload is sent byte for byte, as often as asked', async () => {
    const app = await plainApp();
    const { code } = await to(app.url, '--payload', fileWith(PAYLOAD), '--times', '2');
    expect(code).toBe(0);
    expect(app.accepted.map(String)).toEqual([PAYLOAD, PAYLOAD]);
  });

  test('a byte order mark is not sent', async () => {
    const app = await plainApp();
    expect((await to(app.url, '--payload', fileWith(`\uFEFF${PAYLOAD}`))).code).toBe(0);
    expect(app.accepted.map(String)).toEqual([PAYLOAD]);
  });

  test('data gets an envelope that fits', async () => {
    const run = { id: 'exec_9', status: 'failed' };
    const change = { run, previousStatus: 'running', currentStatus: 'failed' };
    const [changed] = await printed('--payload', fileWith(change));
    expect(changed).toMatchObject({
      id: expect.stringMatching(/^whev_/),
      type: 'run.status_changed',
      apiVersion: '2026-07-01',
      data: { run: { id: 'exec_9' }, previousStatus: 'running' },
    });
    expect(await printed('--payload', fileWith({ run }))).toMatchObject([{ type: 'run.created' }]);
  });

  test('a saved delivery is sent with its bytes and a new signature, also tampered', async () => {
    const folder = emptyFolder();
    mkdirSync(join(folder, '001'));
    writeFileSync(join(folder, '001', 'body'), PAYLOAD);
    writeFileSync(join(folder, '001', 'headers.json'), '[["webhook-timestamp","1"]]');
    const meta = { format: 1, receivedAt: '2026-07-01T12:00:00.000Z' };
    writeFileSync(join(folder, '001', 'meta.json'), JSON.stringify(meta));
    const app = await plainApp();
    const args = ['--from', join(folder, '001')];
    expect((await to(app.url, ...args)).code).toBe(0);
    expect(app.accepted.map(String)).toEqual([PAYLOAD]);
    expect((await to(app.url, 'tampered', ...args)).code).toBe(0);
    expect(app.accepted).toHaveLength(1);
  });

  test('a file that is no UTF-8 is refused, because its bytes would change', async () => {
    const file = join(emptyFolder(), 'latin1.json');
    writeFileSync(file, Buffer.from('{"id":"whev_é"}', 'latin1'));
    const { stderr } = await inProcess(['trigger', '--print', '--payload', file]);
    expect(stderr).toContain('must be readable UTF-8 text');
  });
});

describe('--expect', () => {
  test.each([
    [204, ['rejected'], 0, '2 deliveries got 2xx as expected.'],
    [204, ['rejected', '--expect', '204'], 0, '2 deliveries got 204 as expected.'],
    [
      204,
      ['rejected', '--expect', '401'],
      1,
      '2 of 2 deliveries were accepted with 204 (expected 401).',
    ],
    [422, ['rejected', '--expect', '4xx'], 0, '2 deliveries got 4xx as expected.'],
    [204, ['wrong-secret'], 1, '1 of 1 delivery was accepted with 204 (expected 4xx).'],
    [401, ['wrong-secret', '--expect', '401'], 0, '1 delivery got 401 as expected.'],
    [400, ['stale', '--expect', '425'], 1, '1 of 1 delivery was refused with 400 (expected 425).'],
    [302, ['rejected'], 1, '2 of 2 deliveries got 302 (expected 2xx).'],
  ])('an app that responds %i: %j ends with %i', async (status, args, code, message) => {
    const app = await listenAt(statuses(status));
    const result = await to(app.url, ...args);
    expect(result).toMatchObject({ code, stdout: expect.stringContaining(message) });
  });

  test('shows the fix for an app that accepts a delivery of a wrong secret', async () => {
    const app = await listenAt(statuses(204));
    const { stdout } = await to(app.url, 'wrong-secret');
    expect(stdout).toMatch(/^ {4}Fix: /m);
  });
});

describe('retries without a server', () => {
  test('follow the contract: the same bytes, a new signature, and Retry-After', async () => {
    const app = await listenAt((response, number) => {
      if (number < 3) response.setHeader('Retry-After', '1');
      response.statusCode = [503, 425, 204][number - 1] ?? 204;
      response.end(response.statusCode === 204 ? undefined : '{"code":"busy"}');
    });
    const { code, stdout } = await to(app.url, 'stale', '--expect', '503');
    expect(code).toBe(0);
    expect(stdout).toMatch(/→ 503 {2}.*stale-timestamp {2}busy {2}retry in 1(\.\d)? s$/m);
    expect(stdout).toMatch(/→ 425 .*attempt 2 {2}busy {2}retry in 1(\.\d)? s$/m);
    expect(stdout).toMatch(/→ 204 .*attempt 3$/m);
    const [first, second, third] = app.arrivals;
    expect(second?.body).toEqual(first?.body);
    expect(third?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const age = Date.now() / 1000 - Number(third?.headers['webhook-timestamp']);
    expect(age).toBeLessThan(60);
  });

  test('a redirect and a refusal end the delivery', async () => {
    const app = await listenAt(statuses(404));
    const { stdout } = await to(app.url, 'stale');
    expect(stdout).toMatch(/→ 404 {2}.*not retried$/m);
    expect(stdout).toContain('Fix: Set the URL of the endpoint to the webhook route of the app.');
    expect(app.arrivals).toHaveLength(1);
  });
});

describe('--json', () => {
  test('prints a line for each attempt and one for the result', async () => {
    const app = await listenAt(statuses(401));
    const { code, stdout } = await to(app.url, 'cancelled', '--json');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(1);
    expect(lines).toMatchObject([
      { event: 'attempt', runStatus: 'pending', status: 401, url: app.url },
      { event: 'attempt', runStatus: 'running', status: 401 },
      { event: 'attempt', runStatus: 'cancelled', status: 401, deliveryStatus: 'ended' },
      {
        event: 'result',
        scenario: 'cancelled',
        expected: '2xx',
        isExpected: false,
        deliveries: 3,
        unexpected: [{ got: '401' }, { got: '401' }, { got: '401' }],
      },
    ]);
    expect(stdout).not.toContain(SECRET);
  });
});
