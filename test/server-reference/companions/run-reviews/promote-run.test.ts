import { virtualClock } from '@hookproof/server-reference';
import { afterAll, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { controlClient, START } from '../../lab/control/control-client.ts';
import { openApp } from '../../open-app.ts';

const clock = virtualClock({ now: START });
const app = await openApp({ clock });
afterAll(() => app.close());
const control = controlClient(app);
const { wildcard } = app.world.keys;

const RUN = {
  status: 'completed',
  input: { note: 'a' },
  output: { total: 3, rows: [1, 2] },
  outputFiles: [
    { path: 'totals.csv', text: '3' },
    { path: 'logs/a.txt', text: 'log' },
  ],
};

interface More {
  readonly method?: 'POST' | 'PUT';
  readonly json?: unknown;
}

function ask(path: string, more: More = {}): Promise<ApiResponse> {
  return call(app.listener, { path, key: wildcard, ...more });
}

async function startRun(more: object = {}): Promise<{ id: string; automationId: string }> {
  return control.run({ ...RUN, ...more });
}

/** Without a body where `json` is undefined. */
function promote(id: string, json?: unknown): Promise<ApiResponse> {
  return ask(`/v1/runs/${id}/promote`, { method: 'POST', json });
}

function review(id: string, json: object): Promise<ApiResponse> {
  return ask(`/v1/runs/${id}/reviews`, { method: 'PUT', json });
}

async function exampleOf({ body }: ApiResponse): Promise<ApiResponse['body']> {
  const path = `/v1/automations/${body.automationId}/examples/${body.exampleId}`;
  const [example, input, expected] = await Promise.all(
    ['', '/input', '/expected'].map((rest) => ask(path + rest)),
  );
  return { ...example?.body, inputFiles: input?.body.files, expectedPaths: expected?.body.files };
}

describe('POST /v1/runs/{id}/promote', () => {
  test('makes an example of the input, the output and the output files', async () => {
    const run = await startRun();
    const promoted = await promote(run.id, { name: 'first' });
    expect([promoted.status, promoted.body]).toEqual([
      200,
      {
        automationId: run.automationId,
        automationType: 'workflow',
        exampleId: expect.stringMatching(/^ex_/),
        name: 'first',
      },
    ]);
    expect(await exampleOf(promoted)).toMatchObject({
      name: 'first',
      input: RUN.input,
      expected: RUN.output,
      inputFiles: [],
      expectedPaths: ['logs/a.txt', 'totals.csv'],
      updatedAt: null,
    });
  });

  test.each([[undefined], [{}]])(
    'names the example after the run for the body %j',
    async (json) => {
      const { id } = await startRun();
      const promoted = await promote(id, json);
      expect(promoted.body.name).toBe(id);
      expect((await promote(id, json)).body).toEqual(promoted.body);
    },
  );

  test('updates the example of the name, and keeps what no run has', async () => {
    const [first, second] = [
      await startRun(),
      await startRun({ output: 'other', input: { b: 1 } }),
    ];
    const made = await promote(first.id, { name: 'updated' });
    await clock.advance(1000);
    const updated = await promote(second.id, { name: 'updated' });
    expect(updated.body.exampleId).toBe(made.body.exampleId);
    expect(await exampleOf(updated)).toMatchObject({
      input: { b: 1 },
      expected: 'other',
      createdAt: expect.any(String),
      updatedAt: new Date(clock.now()).toISOString(),
    });
    const { status, body } = await promote(first.id, { name: 'UPDATED' });
    expect([status, body.issues[0].code]).toEqual([409, 'example_name_conflict']);
  });

  interface Corrected {
    readonly correctedOutput?: unknown;
    readonly corrections?: readonly (readonly [path: string, correctedValue: unknown])[];
  }

  test.each<[Corrected, unknown]>([
    [{ correctedOutput: { total: 4 } }, { total: 4 }],
    [{ correctedOutput: { total: 4 }, corrections: [['/total', 5]] }, { total: 4 }],
    [{}, RUN.output],
    [{ corrections: [['/total', 4]] }, { total: 4, rows: [1, 2] }],
    [{ corrections: [['/rows/-', 9]] }, { total: 3, rows: [1, 2, 9] }],
    [{ corrections: [['/rows/2', 9]] }, { total: 3, rows: [1, 2, 9] }],
    [{ corrections: [['/a~1b~0c', 9]] }, { total: 3, rows: [1, 2], 'a/b~c': 9 }],
    [
      {
        corrections: [
          ['/rows/7', 9],
          ['/none/a', 9],
          ['total', 9],
          ['/total/a', 9],
        ],
      },
      RUN.output,
    ],
    [{ corrections: [['/rows/length', 0]] }, RUN.output],
    [
      { corrections: [['/__proto__', { a: 1 }]] },
      JSON.parse('{"total":3,"rows":[1,2],"__proto__":{"a":1}}'),
    ],
  ])('expects what the review %j corrects', async ({ corrections = [], ...more }, expected) => {
    const { id } = await startRun();
    await review(id, {
      ...more,
      corrections: corrections.map(([path, correctedValue]) => ({
        kind: 'field',
        path,
        correctedValue,
      })),
    });
    const promoted = await promote(id);
    expect((await exampleOf(promoted)).expected).toEqual(expected);
  });

  test('passes over a correction that would nest the output deeper than a request can', async () => {
    const depth = 490;
    const deep: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    const { id } = await startRun();
    const paths = ['/rows', `/rows${'/0'.repeat(depth - 1)}/-`];
    const corrections = paths.map((path) => ({ kind: 'field', path, correctedValue: deep }));
    await review(id, { corrections });
    const { expected } = await exampleOf(await promote(id, { name: 'deep' }));
    expect(expected).toEqual({ total: 3, rows: deep });
  });

  test('expects the corrected files in place of the output files', async () => {
    const { id } = await startRun();
    const json = { outputFileName: 'totals.csv', expectedName: 'right.csv' };
    await ask(`/v1/runs/${id}/reviews/expected`, { method: 'POST', json });
    expect((await exampleOf(await promote(id))).expectedPaths).toEqual(['right.csv']);
  });

  test.each(['running', 'failed'])('refuses a run that is %s', async (status) => {
    const { id } = await control.run({ status });
    const { status: got, body } = await promote(id);
    expect([got, body.issues]).toEqual([
      409,
      [
        {
          field: 'id',
          code: 'run_not_completed',
          message: `the run must be completed, got ${status}`,
          severity: 'error',
        },
      ],
    ]);
  });
});
