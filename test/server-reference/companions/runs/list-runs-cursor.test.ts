import { afterAll, describe, expect, test } from 'vitest';

import { openRunApp } from '../../api/runs/run-app.ts';

const { app, control, ask } = await openRunApp();
afterAll(() => app.close());

interface Row {
  readonly id: string;
  readonly createdAt: string;
  readonly completedAt: string | null;
}

/** Follows the cursor to null; `between` is called after each page. */
async function follow(
  query: string,
  between: () => Promise<unknown> = async () => {},
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await ask(`/v1/runs?limit=4&${query}${more}`);
    expect(status).toBe(200);
    rows.push(...body.runs);
    cursor = body.nextCursor;
    await between();
  }
  return rows;
}

const ENDS = [
  { status: 'running', afterMilliseconds: 200 },
  { status: 'finalizing', afterMilliseconds: 300 },
  { status: 'completed', afterMilliseconds: 100 },
];

describe('the cursor of GET /v1/runs', () => {
  test('followed to null gives each run that was there at the start once, whatever comes meanwhile', async () => {
    const before: Row[] = (await ask('/v1/runs?limit=100')).body.runs;
    const rows = await follow('', () => control.run());
    expect(rows.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  test.each(['asc', 'desc'])(
    'sorted by completedAt, %s, gives each run once though runs end meanwhile',
    async (order) => {
      const running = await control.run({ scheduledTransitions: ENDS });
      const before: Row[] = (await ask('/v1/runs?limit=100')).body.runs;
      const rows = await follow(`sort=completedAt&order=${order}`, () => control.advance(500));
      const known = new Set(before.map(({ id }) => id));
      const listed = rows.map(({ id }) => id).filter((id) => known.has(id));
      expect(listed.toSorted()).toEqual([...known].toSorted());
      expect((await ask(`/v1/runs/${running.id}`)).body.status).toBe('completed');
    },
  );

  test('counts relative times from the first page, however long it is followed', async () => {
    const hours = 3_600_000;
    const query = 'from=now-2h&to=now';
    const whole: Row[] = (await ask(`/v1/runs?limit=100&${query}`)).body.runs;
    const rows = await follow(query, () => control.advance(hours));
    expect(whole.length).toBeGreaterThan(8);
    expect(rows.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
  });

  test('works with filters', async () => {
    const whole = (await ask('/v1/runs?limit=100&status=completed&type=workflow')).body.runs;
    const rows = await follow('status=completed&type=workflow');
    expect(rows.map(({ id }) => id)).toEqual(whole.map(({ id }: Row) => id));
  });

  test.each([
    ['sort=createdAt&order=asc', (row: Row) => row.createdAt, 1],
    ['sort=createdAt', (row: Row) => row.createdAt, -1],
    ['sort=completedAt', (row: Row) => row.completedAt ?? '', -1],
    ['sort=completedAt&order=asc', (row: Row) => row.completedAt ?? '', 1],
  ])('%s is in order over all pages', async (query, valueOf, sign) => {
    const rows = await follow(query);
    const { total } = (await ask('/v1/runs')).body;
    expect(new Set(rows.map(({ id }) => id)).size).toBe(total);
    const values = rows.map(valueOf);
    const sorted = values.toSorted((one, other) =>
      one === other ? 0 : one < other ? -sign : sign,
    );
    expect(values).toEqual(sorted);
  });

  test('goes before offset, and keeps the order of its list', async () => {
    const first = (await ask('/v1/runs?limit=3&order=asc')).body;
    const next = (await ask(`/v1/runs?limit=3&offset=9&cursor=${first.nextCursor}`)).body;
    const whole = (await ask('/v1/runs?limit=6&order=asc')).body;
    expect([...first.runs, ...next.runs]).toEqual(whole.runs);
    expect(next.offset).toBe(3);
  });

  test('is null on the last page, also of an empty list', async () => {
    expect((await ask('/v1/runs?limit=100')).body.nextCursor).toBeNull();
    expect((await ask('/v1/runs?status=none')).body).toMatchObject({ runs: [], nextCursor: null });
    expect((await ask('/v1/runs?offset=9000')).body).toMatchObject({ runs: [], nextCursor: null });
  });

  test.each([
    '',
    'x',
    'e30',
    'WzFd',
    Buffer.from('[3,"id","desc","","","",0]').toString('base64url'),
    Buffer.from('[3,"createdAt","desc","","","","0"]').toString('base64url'),
    Buffer.from('[3,"createdAt","desc","","","",1e999]').toString('base64url'),
  ])('%j gets 400', async (cursor) => {
    const { status, body } = await ask(`/v1/runs?cursor=${cursor}`);
    expect([status, body.issues[0].field, body.issues[0].code]).toEqual([
      400,
      'cursor',
      'invalid_value',
    ]);
  });

  test('of a list that has changed at its place continues behind it', async () => {
    const { body } = await ask('/v1/runs?limit=5&status=pending,created,running');
    const next = (await ask(`/v1/runs?limit=5&cursor=${body.nextCursor}&status=completed`)).body;
    const last: Row = body.runs.at(-1);
    for (const { createdAt } of next.runs) expect(createdAt <= last.createdAt).toBe(true);
  });
});

test('a row is the view without what only the view has', async () => {
  const { fixtures } = app.world;
  const view = (await ask(`/v1/runs/${fixtures.runId}`)).body;
  const { body } = await ask(`/v1/runs?ids=${fixtures.runId}`);
  const { output: _output, files: _files, ...row } = view;
  const { id, name, version, versionId } = view.source;
  expect(body.runs).toEqual([{ ...row, source: { id, name, version, versionId } }]);
});
