import { virtualClock } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import type { State } from '../../../server-reference/src/store/state.ts';
import { emptyFolder } from '../../empty-folder.ts';
import { OPERATIONS } from '../api/responses/documented-pairs.ts';
import { requestOf } from '../api/responses/requests.ts';
import { openSandbox } from '../api/responses/sandbox.ts';
import { START, controlClient } from '../lab/control/control-client.ts';
import { openApp } from '../open-app.ts';
import type { OpenApp } from '../open-app.ts';
import { plainState } from '../state-by-text.ts';

test('a server that starts again has everything that any operation has changed', async () => {
  const store = { kind: 'folder', path: emptyFolder() } as const;
  const open = async (): Promise<{ app: OpenApp; state: State }> => {
    const states: State[] = [];
    const clock = virtualClock({ now: START });
    const app = await openApp({
      store,
      clock,
      arrange: (state) => void states.push(state),
    });
    onTestFinished(() => app.close());
    return { app, state: states[0] ?? expect.unreachable() };
  };
  const first = await open();
  const writing = OPERATIONS.filter(({ method }) => method !== 'GET');
  const written = writing.map(async ({ operationId }) => {
    const sandbox = await openSandbox(first.app);
    const { status } = await sandbox.send(operationId, await requestOf(sandbox, operationId));
    expect([operationId, status < 300]).toEqual([operationId, true]);
  });
  await Promise.all(written);
  const control = controlClient(first.app);
  await control.endpoint('http://127.0.0.1:9/', { headers: { 'x-team': 'blue' } });
  const later = { status: 'running', afterMilliseconds: 60_000 };
  const outputFiles = [{ path: 'a.txt', text: 'a', contentType: 'text/plain' }];
  const review = { verdict: 'incorrect', corrections: [{ path: 'a', correctedValue: 1 }] };
  await control.run({ input: { a: 1 }, usage: { agentTurns: 3 }, scheduledTransitions: [later] });
  await control.run({ status: 'completed', outputFiles, review });
  await control.idle();
  const before = plainState(first.state);
  await first.app.close();
  expect(plainState((await open()).state)).toEqual(before);
});
