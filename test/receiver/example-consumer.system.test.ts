import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { runCreatedEvent, runTimeline, signEvent } from '@hookproof/receiver/testing';
import type { RunEvent } from '@hookproof/spec';
import { describe, expect, it, onTestFinished } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { SECRET } from './started-receiver.ts';

const MAIN = fileURLToPath(
  new URL('../../receiver/examples/dist/consumer/main.js', import.meta.url),
);

describe('the example consumer', () => {
  it('handles a run in order that arrives out of order and twice, and continues after a restart', async () => {
    const run = runTimeline(['pending', 'running', 'waiting', 'running', 'completed']);
    const file = path.join(emptyFolder(), 'events.db');
    const first = await startConsumer(file);
    const arrivals = [4, 1, 1, 0, 3, 2, 4].flatMap((place) => run[place] ?? []);
    const statuses: number[] = [];
    for (const event of arrivals) statuses.push(await first.send(event));
    expect(statuses).toEqual([202, 202, 200, 202, 202, 202, 200]);
    await expect
      .poll(() => first.named('settled'))
      .toEqual([{ runId: 'exec_1', status: 'completed' }]);
    const handled = run.map(({ id, type, data }, place) => ({
      runId: 'exec_1',
      eventId: id,
      type,
      status: data.run.status,
      previousStatus: run[place - 1]?.data.run.status ?? null,
      order: place === 0 ? 'proven' : 'assumed',
    }));
    expect(first.named('handled')).toEqual(handled);
    expect(first.named('arrived')).toMatchObject(
      arrivals.map(({ id }, place) => {
        const isNew = statuses[place] === 202;
        return { code: isNew ? 'accepted' : 'duplicate', status: statuses[place], eventId: id };
      }),
    );
    const observed: unknown = await (await fetch(`${first.url}/observer`)).json();
    expect(observed).toMatchObject({ handled: run.map(({ id }) => ({ id, runId: 'exec_1' })) });
    expect(await first.stop()).toBe(0);

    const second = await startConsumer(file);
    const [again] = run;
    if (again !== undefined) expect(await second.send(again)).toBe(200);
    expect(await second.send(runCreatedEvent({ id: 'whev_test', test: true }))).toBe(202);
    await expect.poll(() => second.named('test')).toEqual([{ eventId: 'whev_test' }]);
    expect(second.named('handled')).toEqual([]);
    expect(await second.stop()).toBe(0);
  });

  it('names the missing variable', async () => {
    const child = spawn(process.execPath, [MAIN], { env: {}, stdio: 'pipe' });
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const [code] = await once(child, 'close');
    expect(code).toBe(2);
    expect(text).toContain('Set WEBHOOK_SECRET to the secret of the webhook endpoint');
  });
});

/** Starts the consumer as a process. */
async function startConsumer(file: string) {
  const child = spawn(process.execPath, [MAIN], {
    env: { WEBHOOK_SECRET: SECRET, DATABASE_FILE: file, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: Record<string, unknown>[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)));
  const named = (name: string) => lines.flatMap((line) => (name in line ? [line[name]] : []));
  await expect.poll(() => named('listening')).toHaveLength(1);
  const url = String(named('listening')[0]);
  return {
    url,
    named,
    async send(event: RunEvent): Promise<number> {
      const { headers, body } = signEvent(event, { secret: SECRET });
      const init = { method: 'POST', headers, body: new Uint8Array(body) };
      return (await fetch(url, init)).status;
    },
    async stop(): Promise<number | null> {
      child.kill('SIGTERM');
      await once(child, 'close');
      return child.exitCode;
    },
  };
}
