import type { RunSnapshot } from '@hookproof/spec';
import { beforeEach, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { startControlled } from '../../lab/control/control-client.ts';
import { listenAt } from '../../events/endpoint-listener.ts';

let control: Awaited<ReturnType<typeof startControlled>>;
beforeEach(async () => {
  control = await startControlled();
});

function ask(
  path: string,
  more: { method?: 'POST'; json?: unknown; key?: string } = {},
): Promise<ApiResponse> {
  const { baseUrl, world } = control.server;
  return call(baseUrl, { path, key: world.keys.wildcard, ...more });
}

function start(json: unknown): Promise<ApiResponse> {
  return ask('/v1/runs', { method: 'POST', json });
}

async function read(id: string): Promise<RunSnapshot> {
  return (await ask(`/v1/runs/${id}`)).body;
}

/** The statuses that the events of a run report, in order. */
async function statuses(json: unknown): Promise<(string | undefined)[]> {
  const listener = await listenAt();
  await control.endpoint(listener.url);
  const { body } = await start(json);
  await control.advance(60_000);
  const { status } = await read(body.id);
  const events = listener.arrivals.map(({ body: bytes }) => JSON.parse(bytes.toString('utf8')));
  const reported = events
    .filter(({ data }) => data.run.id === body.id)
    .toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1))
    .map(({ data }) => data.run.status);
  expect(reported.at(-1)).toBe(status);
  return reported;
}

describe('POST /v1/runs', () => {
  test('responds with the run in its first status, and then the run continues to its end', async () => {
    const input = { document: 'note-0301.pdf', pallets: 14 };
    const { status, body } = await start({ target: 'workflows.delivery-note-reader', input });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      automationId: control.server.world.fixtures.datasetAutomationId,
      type: 'workflow',
      status: 'pending',
      triggerType: 'api',
      createdAt: '2026-07-01T00:00:00.000Z',
      startedAt: null,
      completedAt: null,
      finished: false,
      source: {
        id: control.server.world.fixtures.datasetAutomationId,
        name: 'Delivery note reader',
        version: '31',
        versionId: expect.stringMatching(/^ver_/),
      },
    });
    expect(await read(body.id)).toMatchObject(body);
    await control.advance(60_000);
    expect(await read(body.id)).toMatchObject({
      status: 'completed',
      output: {
        rows: [
          { field: 'document', value: 'note-0301.pdf' },
          { field: 'pallets', value: 14 },
        ],
      },
    });
    const { usage } = (await ask(`/v1/runs/${body.id}/usage`)).body;
    expect(usage).toMatchObject({ ocrPagesProcessed: 1, agentTurns: 0, llmCallCount: 1 });
    expect(usage.tokens.input).toBeGreaterThan(0);
    expect(usage.creditsCharged).toBeGreaterThan(0);
    expect(usage.durationMs).toBeGreaterThan(500);
  });

  test('adds an output file when the run completes, and not before', async () => {
    const { body } = await start({ target: control.server.world.fixtures.workflowId });
    const copied = (): Promise<ApiResponse> =>
      ask(`/v1/runs/${body.id}/feedback/expected`, {
        method: 'POST',
        json: { outputFileName: 'result.json' },
      });
    expect((await copied()).status).toBe(404);
    await control.advance(60_000);
    expect((await copied()).body).toEqual({ name: 'result.json' });
  });

  test.each([
    ['workflows.invoice-matcher', undefined, ['pending', 'running', 'finalizing', 'completed']],
    ['workflows.invoice-matcher', 'failed', ['pending', 'running', 'failed']],
    ['workflows.invoice-matcher', 'waiting', ['pending', 'running', 'waiting']],
    ['workflows.invoice-matcher', 'rejected', ['pending', 'rejected']],
    [
      'agents.freight-quote',
      'completed',
      ['created', 'pending', 'running', 'finalizing', 'completed'],
    ],
    ['agents.freight-quote', 'rejected', ['created', 'pending', 'rejected']],
  ])('%s with the outcome %s has the statuses %j', async (target, outcome, expected) => {
    const input = outcome === undefined ? {} : { $outcome: outcome };
    expect(await statuses({ target, input })).toEqual(expected);
  });

  test('moves a waiting run by the control interface, and keeps its usage so far', async () => {
    const { body } = await start({
      target: 'agents.freight-quote',
      input: { $outcome: 'waiting' },
    });
    await control.advance(60_000);
    expect((await ask(`/v1/runs/${body.id}/usage`)).body.usage.agentTurns).toBeGreaterThan(0);
    await control.move(body.id, 'finalizing');
    expect(await control.move(body.id, 'completed', { output: 1 })).toMatchObject({ output: 1 });
  });

  test('names the outcomes that a run can have', async () => {
    const { status, body } = await start({
      target: 'agents.freight-quote',
      input: { $outcome: 'done' },
    });
    expect(status).toBe(400);
    expect(body.issues).toMatchObject([
      {
        field: 'input.$outcome',
        code: 'invalid_value',
        message: 'must be one of completed, failed, waiting, rejected, got "done"',
      },
    ]);
  });

  test.each(['agents.invoice-matcher', '__proto__'])(
    'responds 404 to the target %s',
    async (target) => {
      const { status, body } = await start({ target });
      expect(status).toBe(404);
      expect(body.issues).toMatchObject([{ field: 'target', code: 'not_found' }]);
    },
  );

  test.each([
    ['workflows.bank-statement-import', 403, 'api_trigger_disabled', 'triggers.api'],
    ['workflows.fax-intake', 409, 'implementation_missing', 'implementationAvailable'],
  ])(
    'responds to %s with %i %s and a hint, and starts nothing',
    async (target, expected, code, hint) => {
      const before = (await ask('/v1/runs')).body.total;
      const { status, body } = await start({ target });
      expect(status).toBe(expected);
      expect(body.issues).toMatchObject([{ field: 'target', code }]);
      expect(body.hint).toContain(hint);
      expect((await ask('/v1/runs')).body.total).toBe(before);
    },
  );

  test.each([
    [{}, 'target'],
    [{ target: 'agents.freight-quote', input: [] }, 'input'],
    [{ target: 'agents.freight-quote', input: null }, 'input'],
    [null, '<root>'],
  ])('responds 400 to %j', async (json, field) => {
    const { status, body } = await start(json);
    expect([status, body.issues[0].field]).toEqual([400, field]);
  });
});
