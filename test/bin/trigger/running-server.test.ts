import { verify } from '@hookproof/receiver/verify';
import { describe, expect, test } from 'vitest';

import { listenAt, statuses } from '../server-reference/platform/sender/endpoint-listener.ts';
import { hookproof, runInProcess, serve, stateFile } from './hookproof.ts';

const LINEAR = ['pending', 'running', 'finalizing', 'completed'];

describe('hookproof trigger', () => {
  test('sends the events of every scenario through the running server', async () => {
    const app = await listenAt(statuses(204));
    const env = { HOOKPROOF_STATE_FILE: stateFile() };
    const server = await serve(['--forward-to', app.url], { env });
    const secrets = String(server.ready['secret']);
    const scenarios: [string[], string[]][] = [
      [[], LINEAR],
      [['agent'], ['created', ...LINEAR]],
      [['waiting'], ['pending', 'running', 'waiting', 'running', 'waiting', ...LINEAR.slice(1)]],
      [['failed'], ['pending', 'running', 'failed']],
      [['cancelled'], ['pending', 'running', 'cancelled']],
      [['rejected'], ['pending', 'rejected']],
    ];
    for (const [args, expected] of scenarios) {
      const before = app.arrivals.length;
      const { code, stdout } = await hookproof(['trigger', ...args], { env });
      expect(code).toBe(0);
      expect(stdout.match(/ 204 {2}delivered$/gm)).toHaveLength(expected.length);
      const events = app.arrivals
        .slice(before)
        .map(({ body, headers }) => verify(body, headers, { secrets }));
      const sent = events.map((event) => (event.type === 'unknown' ? '' : event.data.run.status));
      expect(sent.toSorted()).toEqual(expected.toSorted());
    }
  });

  test('ends with 1 and says what the app responded if it refuses', async () => {
    const app = await listenAt(statuses(401));
    const env = { HOOKPROOF_STATE_FILE: stateFile() };
    await serve(['--forward-to', app.url], { env });
    const { code, stdout } = await hookproof(['trigger', 'rejected'], { env });
    expect(code).toBe(1);
    expect(stdout).toContain(`run.created pending  ${app.url}  401  ended`);
    expect(stdout).toContain(`run.status_changed rejected  ${app.url}  401  ended`);
  });

  test('--list names the scenarios and needs no server', async () => {
    const { code, stdout } = await hookproof(['trigger', '--list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^completed +a workflow run that succeeds with an output\n/);
  });

  test('needs a running server with an endpoint, and a known scenario', async () => {
    expect((await runInProcess(['trigger'])).stderr).toBe(
      'error: The command needs a running server, got none. Start one with hookproof serve --forward-to URL.\n',
    );
    expect((await runInProcess(['trigger', 'finished'])).stderr).toContain(
      'Allowed choices are completed, agent, waiting, failed, cancelled, rejected.',
    );
    const env = { HOOKPROOF_STATE_FILE: stateFile() };
    await serve([], { env });
    const { code, stderr } = await hookproof(['trigger'], { env });
    expect(code).toBe(2);
    expect(stderr).toContain('needs an enabled webhook endpoint, got none.');
  });
});
