import { virtualClock } from '@hookproof/server-reference';
import { afterAll, describe, expect, test } from 'vitest';

import { START } from '../../lab/control/control-client.ts';
import { openApp } from '../../open-app.ts';
import { readZip } from '../../api/datasets/read-zip.ts';
import { datasetOf, openDataset, refusal } from '../../api/datasets/dataset-app.ts';

const clock = virtualClock({ now: START });
const app = await openApp({ clock });
afterAll(() => app.close());
const { fixtures } = app.world;
// A dataset without seeded examples.
const { get, post, patch, remove } = datasetOf(app, 'workflows.customs-declaration');
const NOW = '2026-07-01T00:00:00.000Z';

const NEW = {
  id: expect.stringMatching(/^ex_/),
  automationId: expect.stringMatching(/^wf_/),
  automationType: 'workflow',
  input: null,
  expected: null,
  expectedFiles: [],
  metadata: null,
  annotation: null,
  rowOrder: null,
  overrides: null,
  latestRunId: null,
  createdAt: NOW,
  updatedAt: null,
};

describe('POST …/examples', () => {
  test('creates an example with all its members, which a GET then reads', async () => {
    const members = {
      name: 'whole',
      input: { document: { $file: 'input/scan.pdf' } },
      expected: [1, { two: null }],
      metadata: { source: 'mail' },
      annotation: 'Hand-written.',
      rowOrder: 0,
      overrides: { steps: { read: {} } },
    };
    const { status, body } = await post('/examples', members);
    expect([status, body]).toEqual([201, { ...NEW, ...members }]);
    expect((await get(`/examples/${body.id}`)).body).toEqual(body);
    await remove(`/examples/${body.id}`);
  });

  test.each([
    ['no member', {}],
    ['a null name', { name: null }],
    ['nulls', { input: null, expected: null, metadata: null, annotation: null, rowOrder: null }],
    ['unknown members', { colour: 'blue', id: 'ex_mine' }],
  ])('makes up a name for %s', async (_what, members) => {
    const { status, body } = await post('/examples', members);
    expect([status, body]).toEqual([201, { ...NEW, name: expect.stringMatching(/^example-\d+$/) }]);
  });

  test.each([
    ['the most ASCII characters', 'x'.repeat(128)],
    ['the most characters of four bytes', '😀'.repeat(128)],
  ])('keeps a name of %s, also in an export', async (_what, name) => {
    const dataset = await openDataset();
    const { body } = await dataset.post('/examples', { name });
    expect(body.name).toBe(name);
    const entries = await readZip(
      (await dataset.get(`/dataset/export?exampleIds=${body.id}`)).bytes,
    );
    expect(entries.map((entry) => entry.name)).toContain(`examples/${name}/input/`);
  });

  test.each([
    ['annotation', 'é'.repeat(2000)],
    ['annotation', ''],
    ['rowOrder', 9_007_199_254_740_991],
    ['rowOrder', 0],
  ])('keeps the %s at its bound', async (field, value) => {
    const { status, body } = await post('/examples', { [field]: value });
    expect([status, body[field]]).toEqual([201, value]);
  });

  test.each([false, 0, '', 'text', []])('keeps the expected output %j', async (expected) => {
    expect((await post('/examples', { expected })).body.expected).toEqual(expected);
  });

  test.each([
    ['name', '', 'must not be empty'],
    ['name', 'x'.repeat(129), 'must have at most 128 characters, got 129'],
    ['name', 'a/b', 'must be a name without slashes'],
    ['name', '..', 'must not have a segment . or ..'],
    [
      'name',
      'dot.',
      'must not have a segment that ends with a dot or a blank: some systems drop it',
    ],
    ['name', 7, 'must be string or null, got 7'],
    ['input', [], 'must be object or null, got an array'],
    ['metadata', 'text', 'must be object or null, got "text"'],
    ['annotation', 'x'.repeat(2001), 'must have at most 2000 characters, got 2001'],
    ['rowOrder', -1, 'must be an integer from 0 to 9007199254740991, got -1'],
    ['rowOrder', 0.5, 'must be integer or null, got 0.5'],
    ['overrides', 1, 'must be object or null, got 1'],
  ])('refuses the %s %j', async (field, value, message) => {
    const before = (await get('/examples')).body.total;
    expect(refusal(await post('/examples', { [field]: value }))).toEqual([
      400,
      'invalid_value',
      field,
      message,
    ]);
    expect((await get('/examples')).body.total).toBe(before);
  });

  test.each(['taken é', 'TAKEN É'])('refuses the taken name %j', async (name) => {
    if (name === 'taken é') expect((await post('/examples', { name })).status).toBe(201);
    expect(refusal(await post('/examples', { name }))).toEqual([
      409,
      'example_name_conflict',
      'name',
      'must be unique in the dataset; another example has this name',
    ]);
  });
});

describe('PATCH …/examples/{exampleId}', () => {
  test('changes what is given, and keeps the rest', async () => {
    const created = (await post('/examples', { name: 'kept', annotation: 'old', rowOrder: 3 }))
      .body;
    await clock.advance(1000);
    const { status, body } = await patch(`/examples/${created.id}`, { annotation: 'new' });
    const changed = { ...created, annotation: 'new', updatedAt: '2026-07-01T00:00:01.000Z' };
    expect([status, body]).toEqual([200, changed]);
  });

  test('null clears a member, but a null name is passed over', async () => {
    const members = { input: {}, expected: 1, metadata: {}, annotation: 'a', overrides: {} };
    const { id } = (await post('/examples', { ...members, name: 'cleared', rowOrder: 1 })).body;
    const nulls = Object.fromEntries(Object.keys(members).map((name) => [name, null]));
    const { body } = await patch(`/examples/${id}`, { ...nulls, rowOrder: null, name: null });
    expect(body).toMatchObject({ ...nulls, rowOrder: null, name: 'cleared' });
  });

  test('renames, also to the same name in another case', async () => {
    const { id } = (await post('/examples', { name: 'case' })).body;
    expect((await patch(`/examples/${id}`, { name: 'CASE' })).body.name).toBe('CASE');
    await post('/examples', { name: 'other' });
    expect(refusal(await patch(`/examples/${id}`, { name: 'Other', annotation: 'x' }))).toEqual([
      409,
      'example_name_conflict',
      'name',
      'must be unique in the dataset; another example has this name',
    ]);
    expect((await get(`/examples/${id}`)).body).toMatchObject({ name: 'CASE', annotation: null });
  });
});

test('DELETE …/examples/{exampleId} returns the example as it was, with its files gone', async () => {
  const dataset = await openDataset();
  const path = `/examples/${dataset.app.world.fixtures.exampleId}`;
  const before = (await dataset.get(path)).body;
  expect(before.expectedFiles.length).toBeGreaterThan(0);
  const { status, body } = await dataset.remove(path);
  expect([status, body]).toEqual([200, before]);
  for (const rest of ['', '/input', '/expected', '/input/note.pdf']) {
    expect((await dataset.get(path + rest)).status).toBe(404);
  }
  const listed = (await dataset.get('/examples?limit=100')).body.data;
  expect(listed.map(({ id }: { id: string }) => id)).not.toContain(before.id);
});

describe('GET …/examples', () => {
  test('lists by rowOrder, and then as created', async () => {
    const dataset = datasetOf(app, fixtures.conflictingWorkflowId);
    const rows = [null, 7, null, 0, 7, null];
    for (const [index, rowOrder] of rows.entries()) {
      await dataset.post('/examples', { name: `row ${index}`, rowOrder });
    }
    const { body } = await dataset.get('/examples');
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(
      [3, 1, 4, 0, 2, 5].map((index) => `row ${index}`),
    );
    const page = (await dataset.get('/examples?limit=2&offset=1')).body;
    expect(page).toEqual({ data: body.data.slice(1, 3), total: 6, limit: 2, offset: 1 });
  });

  test('lists the seeded examples with their JSON members', async () => {
    const { body } = await datasetOf(app).get(`/examples/${fixtures.exampleId}`);
    expect(body).toMatchObject({
      name: fixtures.exampleName,
      input: { document: { $file: 'input/note.pdf' } },
      expected: { carrier: 'Northway', pallets: { count: 12 } },
      expectedFiles: [{ name: 'reports/summary.json' }, { name: 'rows.csv' }],
    });
  });
});

test.each([
  ['of another automation', fixtures.workflowId, fixtures.exampleId, 'exampleId'],
  ['that does not exist', fixtures.datasetAutomationId, '__proto__', 'exampleId'],
])('an example %s is unknown to every operation', async (_whose, id, exampleId, field) => {
  const dataset = datasetOf(app, id);
  const path = `/examples/${exampleId}`;
  const responses = [
    await dataset.get(path),
    await dataset.patch(path, {}),
    await dataset.remove(path),
    await dataset.get(`${path}/input`),
    await dataset.get(`${path}/expected/a.txt`),
    await dataset.upload(`${path}/input`, { 'a.txt': 'a' }),
    await dataset.patch(`${path}/input/a.txt`, { newFilename: 'b.txt' }),
    await dataset.remove(`${path}/expected/a.txt`),
  ];
  expect(responses.map(refusal).map(([status, code, where]) => [status, code, where])).toEqual(
    responses.map(() => [404, 'not_found', field]),
  );
});

test('an export has the input and the expected output as JSON beside the folders', async () => {
  const dataset = datasetOf(app, 'workflows.customs-declaration');
  const { id } = (
    await dataset.post('/examples', {
      name: 'Größe & 1e20',
      input: { scan: { $file: 'input/a b/scan.pdf' }, '10': 1e20, n: [0.1, -0] },
      expected: { text: 'line\nbreak \u2028', none: null },
    })
  ).body;
  await dataset.upload(`/examples/${id}/input`, { 'a b/scan.pdf': 'bytes' });
  const other = (await dataset.post('/examples', { name: 'expects false', expected: false })).body
    .id;
  const chosen = await dataset.get(`/dataset/export?exampleIds=${id},${other}`);
  const entries = await readZip(chosen.bytes);
  expect(entries.map(({ name, bytes }) => [name, bytes])).toEqual([
    ['examples/Größe & 1e20/expected/', null],
    ['examples/expects false/input/', null],
    ['examples/expects false/expected/', null],
    [
      'examples/Größe & 1e20/input.json',
      '{"10":100000000000000000000,"scan":{"$file":"input/a b/scan.pdf"},"n":[0.1,0]}\n',
    ],
    ['examples/Größe & 1e20/input/a b/scan.pdf', 'bytes'],
    ['examples/Größe & 1e20/expected.json', '{"text":"line\\nbreak \u2028","none":null}\n'],
    ['examples/expects false/expected.json', 'false\n'],
  ]);
});
