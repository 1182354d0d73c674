import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openRunApp } from '../../api/runs/run-app.ts';

const { app, control, ask, post, view } = await openRunApp();
afterAll(() => app.close());
const { fixtures } = app.world;

interface Row {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly automationId: string;
  readonly triggerType: string;
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly sampleRank: number;
  readonly trigger: { readonly by: { readonly id: string } | null };
  readonly execution: {
    readonly batchId: string | null;
    readonly review: {
      readonly status: string;
      readonly verdict: string;
      readonly correctionCount: number;
    } | null;
  };
  readonly eval?: { readonly exampleId?: string | null };
}

let all: Row[];
/** The run that has just been reviewed. */
let reviewed: string;
beforeAll(async () => {
  await post(
    '/v1/runs',
    { target: 'workflows.invoice-matcher' },
    { headers: { 'x-app-trigger': 'cli' } },
  );
  const { id } = await control.run({
    status: 'completed',
    review: { verdict: 'correct', note: 'The Supplier fits.', corrections: [] },
  });
  reviewed = id;
  await control.advance(60_000);
  all = (await ask('/v1/runs?limit=100')).body.runs;
});

async function idsOf(query: string): Promise<string[]> {
  const { status, body } = await ask(`/v1/runs?limit=100&${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.total).toBe(body.runs.length);
  return body.runs.map(({ id }: Row) => id);
}

const user = (): string => all.find(({ trigger }) => trigger.by !== null)?.trigger.by?.id ?? '';
const batch = (): string =>
  all.find(({ execution }) => execution.batchId !== null)?.execution.batchId ?? '';
const middle = (): string => all[Math.floor(all.length / 2)]?.createdAt ?? '';
const ended = (): string => all.find(({ completedAt }) => completedAt !== null)?.completedAt ?? '';
const review = ({ execution }: Row) => execution.review;

/** The query, and the rows that it keeps. */
const FILTERS: readonly (readonly [() => string, (row: Row) => boolean])[] = [
  [() => 'type=agent', ({ type }) => type === 'agent'],
  [() => 'type=agent,workflow', () => true],
  [() => 'status=pending%2Crunning', ({ status }) => ['pending', 'running'].includes(status)],
  [() => 'status=running&status=pending', ({ status }) => ['pending', 'running'].includes(status)],
  [() => 'status=running,unheard', ({ status }) => status === 'running'],
  [() => 'trigger=cron,cli', ({ triggerType }) => ['cron', 'cli'].includes(triggerType)],
  [
    () => `source=workflows.invoice-matcher,${fixtures.agentId}`,
    ({ automationId }) => [fixtures.workflowId, fixtures.agentId].includes(automationId),
  ],
  [
    () => `source=agents.freight-quote,wf_unknown,${fixtures.otherTenantAutomationId}`,
    ({ automationId }) => automationId === fixtures.agentId,
  ],
  [
    () => `automationId=${fixtures.agentId}`,
    ({ automationId }) => automationId === fixtures.agentId,
  ],
  [() => `triggeredBy=${user()}`, ({ trigger }) => trigger.by?.id === user()],
  [() => 'triggeredBy=__system__', ({ trigger }) => trigger.by === null],
  [() => `triggeredBy=__system__,${user()}`, () => true],
  [
    () => `ids=${fixtures.runId},exec_unknown,${fixtures.otherTenantRunId}`,
    ({ id }) => id === fixtures.runId,
  ],
  [() => `batchId=${batch()}`, ({ execution }) => execution.batchId === batch()],
  [() => `exampleId=${fixtures.exampleId}`, (row) => row.eval?.exampleId === fixtures.exampleId],
  [
    () => `exampleIdContains=${fixtures.exampleId.slice(4, 10)}`,
    (row) => row.eval?.exampleId === fixtures.exampleId,
  ],
  [() => 'exampleIdContains=nothing', () => false],
  [() => 'experiments=false', ({ execution }) => execution.batchId === null],
  [() => 'experiments=true', () => true],
  [() => `from=${middle()}`, ({ createdAt }) => createdAt >= middle()],
  [() => `to=${middle()}`, ({ createdAt }) => createdAt <= middle()],
  [() => `createdAfter=${middle()}`, ({ createdAt }) => createdAt >= middle()],
  [() => `createdBefore=${middle()}`, ({ createdAt }) => createdAt <= middle()],
  [() => `completedAfter=${ended()}`, ({ completedAt }) => (completedAt ?? '') >= ended()],
  [
    () => `completedBefore=${ended()}`,
    ({ completedAt }) => completedAt !== null && completedAt <= ended(),
  ],
  [() => 'from=now-1h', ({ createdAt }) => createdAt >= '2026-06-30T23:01:00.000Z'],
  [() => 'from=now-60m', ({ createdAt }) => createdAt >= '2026-06-30T23:01:00.000Z'],
  [() => 'to=now-1d', ({ createdAt }) => createdAt <= '2026-06-30T00:01:00.000Z'],
  [() => 'to=now-1w', ({ createdAt }) => createdAt <= '2026-06-24T00:01:00.000Z'],
  [() => 'from=2026-06-30', ({ createdAt }) => createdAt >= '2026-06-30T00:00:00.000Z'],
  [
    () => 'from=2026-07-01T01:00:00%2B01:00',
    ({ createdAt }) => createdAt >= '2026-07-01T00:00:00.000Z',
  ],
  [() => 'sampleRate=0.5', ({ sampleRank }) => sampleRank < 0.5],
  [() => 'sampleRate=0', () => false],
  [() => 'sampleRate=1', () => true],
  [() => 'sampleRate=5e-1', ({ sampleRank }) => sampleRank < 0.5],
  [() => 'sampleRate=1e-07', () => false],
  [() => 'hasReview=true', (row) => review(row) !== null],
  [() => 'hasReview=1', (row) => review(row) !== null],
  [() => 'hasReview=false', () => true],
  [() => 'noReview=true', (row) => review(row) === null],
  [() => 'hasCorrections=1', (row) => (review(row)?.correctionCount ?? 0) > 0],
  [() => 'reviewStatus=open', (row) => review(row)?.status === 'open'],
  [() => 'reviewStatus=open,closed', (row) => review(row) !== null],
  [() => 'reviewVerdict=correct', (row) => review(row)?.verdict === 'correct'],
  [() => 'reviewVerdict=correct&status=failed', () => false],
  [() => 'reviewNoteContains=sUPPLIER%20fits', ({ id }) => id === reviewed],
  [() => 'reviewCreatedAfter=now-2m', ({ id }) => id === reviewed],
  [() => 'reviewUpdatedAfter=now-2m', ({ id }) => id === reviewed],
  [() => 'reviewCreatedBefore=now-2m', (row) => review(row) !== null && row.id !== reviewed],
  [() => 'reviewUpdatedBefore=now-2m', (row) => review(row) !== null && row.id !== reviewed],
  [() => 'reviewClosedAfter=now-52w', (row) => review(row)?.status === 'closed'],
  [() => 'reviewClosedBefore=now', (row) => review(row)?.status === 'closed'],
  [() => 'sort=nothing&order=nothing&expand=nothing&sinceLastClosed=true', () => true],
];

describe('a filter of GET /v1/runs', () => {
  test.each(FILTERS.map(([query, keeps]) => [query.toString().slice(6), query, keeps] as const))(
    '%s keeps its runs in their order',
    async (_name, query, keeps) => {
      expect(await idsOf(query())).toEqual(all.filter(keeps).map(({ id }) => id));
    },
  );

  test('sourceRef finds a label and a git ref', async () => {
    const { source } = await view(fixtures.runId);
    const labelled = await idsOf(`sourceRef=${source.version}&source=${fixtures.workflowId}`);
    expect(labelled).toContain(fixtures.runId);
    const { body } = await post('/v1/runs?version=main', { target: 'agents.freight-quote' });
    expect(await idsOf('sourceRef=main&from=now')).toEqual([body.id]);
    const { resolvedTag } = (await view(body.id)).source.git;
    expect(await idsOf(`sourceRef=${resolvedTag}&from=now`)).toEqual([body.id]);
  });

  test.each([
    ['from=yesterday', 'from'],
    ['completedBefore=', 'completedBefore'],
    ['sampleRate=2', 'sampleRate'],
  ])('%s gets 400 on %s', async (query, field) => {
    const { status, body } = await ask(`/v1/runs?${query}`);
    expect([status, body.issues[0].field]).toEqual([400, field]);
  });
});
