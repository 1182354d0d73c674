import { afterAll, expect, test } from 'vitest';

import { datasetOf, refusal } from '../../api/datasets/dataset-app.ts';
import { openApp } from '../../open-app.ts';

const app = await openApp();
afterAll(() => app.close());
const { get, put, automationId } = datasetOf(app);

const YAML = `
passThreshold: 0.75
evaluators:
  - name: carrier
    type: field_match
    path: carrier
    weight: 2
    description: The carrier is the first line of the note.
  - type: exact_match
    passThreshold: 0.5
  - type: judge
    ours: passed over
`;

const CONFIG = {
  passThreshold: 0.75,
  evaluators: [
    {
      name: 'carrier',
      type: 'field_match',
      path: 'carrier',
      weight: 2,
      passThreshold: 1,
      description: 'The carrier is the first line of the note.',
    },
    { name: 'exact_match', type: 'exact_match', weight: 1, passThreshold: 0.5 },
    { name: 'judge', type: 'judge', weight: 1, passThreshold: 1 },
  ],
};

test('an automation has no evaluators before they are written', async () => {
  expect((await get('/v1/automations/agents.freight-quote/evaluators')).body).toEqual({
    automationId: expect.stringMatching(/^agent_/),
    automationType: 'agent',
    yaml: '',
    config: { evaluators: [], passThreshold: 1 },
  });
});

test('a PUT replaces the evaluators, which a GET then reads', async () => {
  const written = await put('/evaluators', { yaml: YAML });
  expect(written.status).toBe(200);
  expect(written.body).toEqual({
    automationId,
    automationType: 'workflow',
    yaml: YAML,
    config: CONFIG,
  });
  expect((await get('/evaluators')).body).toEqual(written.body);
  const second = { yaml: 'evaluators: []' };
  expect((await put('/evaluators', second)).body).toMatchObject({
    ...second,
    config: { evaluators: [], passThreshold: 1 },
  });
});

test.each<[string, string]>([
  ['evaluators: [', 'must be well-formed YAML; the error is in line 1, column 14'],
  ['a: 1\na: 2', 'must be well-formed YAML; the error is in line 2, column 1'],
  ['---\na: 1\n---\nb: 2', 'must be well-formed YAML'],
  ['[1, 2]', 'must be an object with evaluators, got an array'],
  ['just text', 'must be an object with evaluators, got "just text"'],
  [' ', 'must be an object with evaluators, got null'],
  ['{}', 'evaluators must be an array, got null'],
  ['evaluators: {}', 'evaluators must be an array, got an object'],
  ['evaluators: [text]', 'evaluators[0] must be an object, got "text"'],
  [
    'evaluators: [{ type: guess }]',
    'evaluators[0].type must be one of exact_match, field_match, judge, got "guess"',
  ],
  [
    'evaluators: [{ name: x }]',
    'evaluators[0].type must be one of exact_match, field_match, judge, got null',
  ],
  [
    'evaluators: [{ type: field_match }]',
    'evaluators[0].path must be a text of 1 to 128 characters, got null',
  ],
  [
    'evaluators: [{ type: judge, name: "" }]',
    'evaluators[0].name must be a text of 1 to 128 characters, got ""',
  ],
  [
    'evaluators: [{ type: judge, weight: -1 }]',
    'evaluators[0].weight must be a number from 0 to 1000, got -1',
  ],
  [
    'evaluators: [{ type: judge, passThreshold: .nan }]',
    'evaluators[0].passThreshold must be a number from 0 to 1, got NaN',
  ],
  ['evaluators: []\npassThreshold: 2', 'passThreshold must be a number from 0 to 1, got 2'],
  ['evaluators: [{ type: judge }, { type: judge }]', 'evaluators[1].name must be unique'],
  [
    `evaluators:\n${'  - { type: judge }\n'.repeat(101)}`,
    'evaluators must have at most 100 entries',
  ],
  ['['.repeat(9_000), 'must be well-formed YAML'],
  ['['.repeat(20_000), 'must have at most 10000 tokens of YAML'],
  [
    Array.from({ length: 50_000 }, (_, key) => `k${key}: 1`).join('\n'),
    'must have at most 10000 tokens of YAML',
  ],
  [aliasBomb(), 'must be well-formed YAML'],
])('refuses text %# with 400 on yaml', async (yaml, message) => {
  const [status, code, field, said] = refusal(await put('/evaluators', { yaml }));
  expect([status, code, field]).toEqual([400, 'invalid_value', 'yaml']);
  expect(said).toContain(message);
});

test('a refused text changes nothing', async () => {
  const before = (await put('/evaluators', { yaml: YAML })).body;
  expect((await put('/evaluators', { yaml: 'evaluators: {}' })).status).toBe(400);
  expect((await get('/evaluators')).body).toEqual(before);
});

test.each([
  ['of three bytes', '文'],
  ['that JSON escapes', '\u0001'],
])('takes a text of 1048576 characters %s', async (_what, character) => {
  const start = 'evaluators: []\nnote: |\n  ';
  const yaml = start + character.repeat(1_048_576 - start.length);
  const { status, body } = await put('/evaluators', { yaml });
  expect([status, body.yaml === yaml]).toEqual([200, true]);
  expect(refusal(await put('/evaluators', { yaml: `${yaml}x` }))).toEqual([
    400,
    'invalid_value',
    'yaml',
    'must have at most 1048576 characters, got 1048577',
  ]);
});

test('refuses a body without a text', async () => {
  for (const [body, message] of [
    [{}, 'is required'],
    [{ yaml: '' }, 'must not be empty'],
    [{ yaml: 7 }, 'must be string, got 7'],
  ] as const) {
    expect(refusal(await put('/evaluators', body))).toEqual([
      400,
      'invalid_value',
      'yaml',
      message,
    ]);
  }
});

/** Nine lines that stand for 10⁹ values. */
function aliasBomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 9; level += 1) {
    const before = `*a${level - 1}`;
    lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => before).join(', ')}]`);
  }
  return lines.join('\n');
}
