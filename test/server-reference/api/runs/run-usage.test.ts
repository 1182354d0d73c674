import { expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { startControlled } from '../../lab/control/control-client.ts';

const NOTHING = {
  tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  creditsCharged: 0,
  llmCallCount: 0,
  ocrPagesProcessed: 0,
  agentTurns: 0,
};

async function startScene(): Promise<
  Awaited<ReturnType<typeof startControlled>> & {
    usage: (id: string) => Promise<ApiResponse>;
  }
> {
  const control = await startControlled();
  const { baseUrl, world } = control.server;
  return {
    ...control,
    usage: (id) => call(baseUrl, { path: `/v1/runs/${id}/usage`, key: world.keys.workflow }),
  };
}

test('the response has the usage of the run and nothing else', async () => {
  const scene = await startScene();
  const { id } = await scene.run({
    usage: { tokens: { input: 7 }, creditsCharged: 1.5, ocrPagesProcessed: 3 },
  });
  const { status, body } = await scene.usage(id);
  expect([status, body]).toEqual([
    200,
    {
      usage: {
        ...NOTHING,
        tokens: { ...NOTHING.tokens, input: 7 },
        creditsCharged: 1.5,
        ocrPagesProcessed: 3,
        durationMs: 0,
      },
    },
  ]);
});

test('the duration starts with the run, grows while it is open, and ends with it', async () => {
  const scene = await startScene();
  const { id } = await scene.run();
  const duration = async (): Promise<number> => (await scene.usage(id)).body.usage.durationMs;
  await scene.advance(5_000);
  expect(await duration()).toBe(0);
  await scene.move(id, 'running');
  await scene.advance(1_234);
  expect(await duration()).toBe(1_234);
  await scene.move(id, 'waiting');
  await scene.advance(1_000);
  expect(await duration()).toBe(2_234);
  await scene.move(id, 'failed');
  await scene.advance(60_000);
  expect(await duration()).toBe(2_234);
  expect((await scene.usage(id)).body.usage).toEqual({ ...NOTHING, durationMs: 2_234 });
});
