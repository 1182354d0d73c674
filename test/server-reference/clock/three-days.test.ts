import { createServer, virtualClock } from '@hookproof/server-reference';
import type { TimerCallback, VirtualClock } from '@hookproof/server-reference';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';

import { START, controlClient } from '../lab/control/control-client.ts';
import { listenAt, statuses } from '../events/endpoint-listener.ts';

const HOUR = 3_600_000;
const THREE_DAYS = 72 * HOUR;

/** A virtual clock that records which callback fired when. */
function loggingClock(log: string[]): VirtualClock {
  const clock = virtualClock({ now: START, stallTimeoutMilliseconds: 30_000 });
  const logged = (callback: TimerCallback) => () => {
    log.push(`${clock.now() - START} ${callback.name}`);
    return callback();
  };
  return {
    ...clock,
    setTimeout: (callback, delay) => clock.setTimeout(logged(callback), delay),
    setAlarm: (callback, dueAt) => clock.setAlarm(logged(callback), dueAt),
  };
}

interface ThreeDays {
  /** What fired and when, then every delivery with its attempts. */
  readonly log: readonly string[];
  /** The results, by subject. */
  readonly after: Readonly<Record<string, unknown>>;
}

/** Retries, temporary files, signed addresses, scheduled transitions and a rate window, all within three days. */
async function threeDays(): Promise<ThreeDays> {
  const log: string[] = [];
  const server = await createServer({
    store: { kind: 'memory' },
    clock: loggingClock(log),
    retryProfile: 'real',
    redirectAboveBytes: 0,
  });
  onTestFinished(() => server.close());
  const control = controlClient(server);
  const ask = async (method: 'GET' | 'POST', path: string, json?: object) => {
    const { statusCode, headers, body } = await request(new URL(path, server.baseUrl), {
      method,
      headers: {
        authorization: `Bearer ${server.world.keys.wildcard}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    await body.dump();
    return { status: statusCode, location: String(headers['location']) };
  };
  const failing = await listenAt(statuses(500));
  await control.endpoint(`${failing.url}/a`);
  await control.endpoint(`${failing.url}/b`);
  for (let index = 0; index < 8; index += 1) {
    const scheduledTransitions = [
      { status: 'running', afterMilliseconds: (index + 1) * HOUR },
      { status: 'failed', afterMilliseconds: 30 * HOUR },
    ];
    await control.run({ scheduledTransitions });
  }
  const { runInputFileId, fileId } = server.world.fixtures;
  const { location } = await ask('GET', `/v1/files/${fileId}/content`);
  const before = {
    file: await ask('GET', `/v1/files/${runInputFileId}`),
    address: await ask('GET', location),
  };
  await control.call('/limits', {
    method: 'PATCH',
    json: { rateLimit: { requests: 1, windowSeconds: 86_400 } },
  });
  await ask('GET', '/v1/auth/check');
  const limited = await ask('GET', '/v1/auth/check');
  await control.advance(THREE_DAYS);

  const deliveries = await control.deliveries();
  const free = await ask('GET', '/v1/auth/check');
  await control.call('/limits', { method: 'PATCH', json: { rateLimit: null } });
  return {
    log: [...log, ...deliveries.map((delivery) => JSON.stringify(delivery))],
    after: {
      deliveries: deliveries.length,
      ends: [...new Set(deliveries.map(({ endReason }) => endReason))],
      attempts: failing.arrivals.length,
      file: [before.file.status, (await ask('GET', `/v1/files/${runInputFileId}`)).status],
      address: [before.address.status, (await ask('GET', location)).status],
      window: [limited.status, free.status],
    },
  };
}

test('three days of retries, expiries, transitions and windows fall due in the order of time', async () => {
  const first = await threeDays();
  const deliveries = 2 * 8 * 3;
  expect(first.after).toEqual({
    deliveries,
    ends: ['attempts_exhausted'],
    attempts: deliveries * 8,
    file: [200, 404],
    address: [200, 403],
    window: [429, 200],
  });
  const times = first.log.slice(0, -deliveries).map((line) => Number.parseInt(line, 10));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(new Set(times).size).toBeGreaterThan(100);
});
