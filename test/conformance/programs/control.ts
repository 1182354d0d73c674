import * as all from './checks.ts';
import { CONTROL_TOKEN, run, runControlled } from './suite.ts';
import type { Scenario } from './suite.ts';
import { KEY } from './target.ts';
import type { TargetResponses } from './target.ts';

const { check } = all;

/** Discovery, from lists and from a control interface. */
export const controlScenarios: Readonly<Record<string, Scenario>> = {
  controlReadOnly: () =>
    runControlled(
      [
        check(
          'api.uses-world',
          async (context) => {
            if (context.fixture('openReviewId') !== 'review_of_the_world')
              throw new Error('another review');
          },
          { needs: ['key.reviewer', 'fixture.openReviewId', 'control.virtual-clock'] },
        ),
        check(
          'api.sneaks-a-run',
          async ({ control: client }) => {
            await client.createRun();
          },
          { needs: ['control'] },
        ),
      ],
      {},
      control(),
    ),
  controlStops: () => {
    const asks = check('api.asks', async ({ control: client }) => void (await client.getClock()), {
      needs: ['control'],
    });
    return runControlled(
      [
        check('api.ends', async ({ api }) => void (await api.send({ path: '/v1/last' }))),
        asks,
        { ...asks, id: 'api.asks-too' },
        all.passes,
      ],
      { concurrency: 1 },
      {
        ...control(),
        '/v1/last': { body: {} },
        '/_control/clock': (_request, seen) =>
          seen.some(({ path }) => path === '/v1/last')
            ? { reset: true }
            : { body: { mode: 'real', now: '2026-01-01T00:00:00.000Z' } },
      },
    );
  },
  controlSlow: () => {
    const asks = check(
      'api.asks',
      async ({ control: client }) => {
        for (let asked = 0; asked < 4; asked += 1) await client.getClock();
      },
      { needs: ['control'], timeoutMilliseconds: 1_000 },
    );
    const clock = { mode: 'real', now: '2026-01-01T00:00:00.000Z' };
    return runControlled(
      [asks],
      {},
      { ...control(), '/_control/clock': { body: clock, delayMilliseconds: 300 } },
    );
  },
  controlUnlocked: () =>
    runControlled(
      [
        check(
          'sender.makes-a-run',
          async ({ control: client }) => {
            await client.createRun({ status: 'pending' });
            if (await client.waitForIdle(1)) throw new Error('?');
          },
          { side: 'sender', access: 'write', needs: ['control'] },
        ),
      ],
      { sender: true, allowWrites: true },
      control(),
    ),
  controlRefused: () =>
    runControlled(
      [all.passes, all.lacksControl],
      {},
      control({
        '/_control/clock': { status: 401, body: { issues: [] } },
      }),
    ),
  worldOfAnother: () =>
    runControlled(
      [
        check('api.needs-world', async () => {}, { needs: ['fixture.openReviewId', 'key.ocr'] }),
        all.passes,
      ],
      { key: 'key-of-my-own-012' },
      control({
        '/_control/world': { body: { ...WORLD, tenantId: 'tenant_9' } },
        '/v1/dataset-review-requests': { body: { data: [] } },
      }),
    ),
  keyOfTheWorld: () =>
    runControlled(
      [check('api.needs-world', async () => {}, { needs: ['fixture.openReviewId', 'key.ocr'] })],
      { key: WORLD.keys.wildcard },
      control({
        '/_control/world': { body: { ...WORLD, tenantId: 'tenant_9' } },
        '/v1/dataset-review-requests': { body: { data: [] } },
      }),
    ),
  senderOnly: () =>
    run(
      [all.sends, all.passes],
      (baseUrl) => ({
        sender: true,
        allowWrites: true,
        control: { url: `${baseUrl}/_control/`, token: CONTROL_TOKEN },
      }),
      control(),
    ),
  discovery: () =>
    run([
      check(
        'api.discovered',
        async (context) => {
          const [open, closed] = [
            context.fixture('openReviewId'),
            context.fixture('closedReviewId'),
          ];
          await context.api.send({ path: `/v1/${open}/${closed}` });
        },
        { needs: ['key.main', 'fixture.openReviewId', 'fixture.closedReviewId'] },
      ),
      check('api.not-discovered', async () => {}, { needs: ['fixture.draftReviewId'] }),
    ]),
};

const WORLD = {
  id: 'world_1',
  tenantId: 'tenant_1',
  keys: {
    wildcard: KEY,
    reviewer: 'key-of-a-reviewer-01',
    ocr: 'key-of-the-scanner-1',
    workflow: 'key-of-a-builder-012',
    otherTenant: 'key-of-another-tenant',
  },
  fixtures: { openReviewId: 'review_of_the_world' },
};

function control(more: TargetResponses = {}): TargetResponses {
  return {
    '/_control/world': { body: WORLD },
    '/_control/worlds': ({ method }) =>
      method === 'GET'
        ? { body: { data: [{ id: WORLD.id }] } }
        : { status: 201, body: { ...WORLD, id: 'world_2' } },
    '/_control/worlds/world_2': { status: 204, body: '' },
    '/_control/clock': { body: { mode: 'virtual', now: '2026-01-01T00:00:00.000Z' } },
    '/_control/runs': { status: 201, body: { id: 'exec_1', status: 'pending' } },
    '/_control/wait': { status: 408, body: { issues: [] } },
    ...more,
  };
}
