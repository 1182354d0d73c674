import { readFile } from 'node:fs/promises';
import { loadRequirements } from '@hookproof/spec/requirements';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  CatalogueError,
  readSchemas,
  renderRequirements,
} from '../../spec/generate/requirements.ts';

const specFolder = new URL('../../spec/', import.meta.url);
const yamlText = await readFile(new URL('requirements.yaml', specFolder), 'utf8');
const schemas = await readSchemas(specFolder);
const requirements = loadRequirements();

/** Every heading of the contract with a binding sentence, listed independently of the catalogue. */
const NORMATIVE_CLAUSES = [
  'Conventions',
  'What the service does',
  'Resources and their fields > Dataset review request (inbox item, returned by the tenant-wide list)',
  'Resources and their fields > Run review (returned wrapped as `review`)',
  'Resources and their fields > Automation',
  'Resources and their fields > Agent (list form)',
  'Resources and their fields > File',
  'Resources and their fields > Template',
  'Resources and their fields > Run usage',
  'Resources and their fields > Experiment reference',
  'Resources and their fields > API key identity (auth check result)',
  'States and transitions > Dataset review request status',
  'States and transitions > Review item status',
  'States and transitions > Run status',
  'Endpoints',
  'Endpoints > GET /v1/dataset-review-requests',
  'Endpoints > PATCH /v1/automations/{id}/dataset-review-requests/{reviewId}',
  'Endpoints > PATCH /v1/automations/{id}',
  'Endpoints > PATCH /v1/automations/{id}/examples/{exampleId}/expected/{path}',
  'Endpoints > DELETE /v1/automations/{id}/examples/{exampleId}/input/{path}',
  'Endpoints > GET /v1/automations/{id}/dataset/export',
  'Endpoints > DELETE /v1/runs/{id}/reviews',
  'Endpoints > POST /v1/runs/{id}/feedback/expected (shown as /api/v1/runs/{id}/feedback/expected on `{app_url}`)',
  'Endpoints > GET /v1/runs/{id}/usage',
  'Endpoints > GET /v1/auth/check',
  'Endpoints > POST /v1/files/uploads/{uploadId}/complete',
  'Endpoints > GET /v1/files/{id}',
  'Endpoints > GET /v1/files/{id}/content',
  'Endpoints > GET /v1/templates',
  'Endpoints > GET /v1/experiments/{experimentId}',
  'Endpoints > GET /api/v1/agents (on `{app_url}`)',
  'Authentication',
  'Events',
  'Events > Headers of each delivery',
  'Events > Envelope',
  'Events > data.run',
  'Events > Event types',
  'Events > Signature verification (receiver rules)',
  'Events > Delivery behavior',
  'Errors',
  'Limits',
  'Versioning',
];

test('the loader returns the rows of the YAML file', () => {
  expect(requirements).toEqual(parse(yamlText));
});

test('every row has a unique id and rule', () => {
  expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
});

test('every normative heading of the contract has rows, and every row belongs to one', () => {
  const covered = new Set(requirements.map(({ clause }) => clause));
  expect([...covered].toSorted()).toEqual(NORMATIVE_CLAUSES.toSorted());
});

/** A catalogue of two real rows, to which the tests add a third. */
const twoRows = yamlText
  .split(/^(?=- id: )/m)
  .slice(0, 3)
  .join('');

const GOOD_ROW = `
- id: inbox.good.row
  keyword: must
  side: api
  clause: Limits
  rule: Something has to be true.
`;

test('the row that the refused rows are derived from is accepted', () => {
  const rendered: unknown = JSON.parse(renderRequirements(twoRows + GOOD_ROW, schemas));
  expect(rendered).toEqual([...requirements.slice(0, 2), ...parse(GOOD_ROW)]);
});

const EVIDENCE = 'it must not have both excluded';
const refusals: readonly [name: string, from: string, to: string, message: string][] = [
  [
    'an unknown key',
    'side: api',
    'side: api\n  level: 1',
    'unknown key "level"; the row must have exactly the keys',
  ],
  [
    'a missing rule',
    /  rule: .*\n/.exec(GOOD_ROW)?.[0] ?? '',
    '',
    'missing key "rule"; the row must have exactly the keys',
  ],
  [
    'checks',
    'side: api',
    'side: api\n  checks: [api.a]',
    'unknown key "checks"; the row must have exactly the keys',
  ],
  ['two reasons', 'side: api', 'side: api\n  open: some\n  excluded: some', EVIDENCE],
  ['an upper-case id', 'id: inbox.good.row', 'id: inbox.Good', 'id is "inbox.Good"; it must be an'],
  ['an id with an underscore', 'good.row', 'good_row', 'lower-case kebab-case names'],
  ['an id that is only an area', 'inbox.good.row', 'inbox', 'id is "inbox"; it must be an area'],
  ['an unknown area', 'inbox.good', 'billing.good', 'must begin with an area of the list'],
  ['an area with the same beginning', 'inbox.good', 'inboxes.good', 'must begin with an area'],
  ['an id that is not a string', 'inbox.good.row', '7', 'id is 7; it must be a string'],
  ['an unknown keyword', 'keyword: must', 'keyword: MUST', 'it must be one of must, should, may'],
  ['an unknown side', 'side: api', 'side: client', 'it must be one of api, sender, receiver'],
  ['an empty reason', 'side: api', "side: api\n  excluded: ''", 'excluded is ""; it must be'],
  [
    'a rule that is not a string',
    'Something has to be true.',
    '12',
    'rule is 12; it must be a string of at least three',
  ],
];

test.each(refusals)('%s is refused with the row and the fix', (_name, from, to, message) => {
  expect(from).not.toBe('');
  const badRow = GOOD_ROW.replace(from, to);
  expect(badRow).not.toBe(GOOD_ROW);
  const error = refusal(twoRows + badRow);
  expect(error).toMatchObject({ code: 'catalogue_row_invalid' });
  expect(error.message).toContain('requirements.yaml row 3');
  expect(error.message).toContain(message);
});

test('a repeated id is refused with both rows', () => {
  const [first] = requirements;
  const error = refusal(twoRows + GOOD_ROW.replace('inbox.good.row', first?.id ?? ''));
  expect(error).toMatchObject({ code: 'id_taken' });
  expect(error.message).toBe(
    `requirements.yaml row 3 (${first?.id}): row 1 already has this id. Give the new row another id; ids are never reused.`,
  );
});

test.each([
  ['a key given twice', twoRows + GOOD_ROW.replace('side: api', 'side: api\n  side: sender')],
  ['broken YAML', `${twoRows}\n  - [`],
])('%s is refused as YAML', (_name, text) => {
  const error = refusal(text);
  expect(error).toMatchObject({ code: 'catalogue_not_yaml' });
  expect(error.message).toMatch(/^requirements\.yaml: .+ at line \d+/);
});

test.each([
  ['', 'requirements.yaml: it must be an array of rows'],
  ['rows: []', 'requirements.yaml: it must be an array of rows'],
  ['[]', 'requirements.yaml: it must be an array of rows'],
  ['- just a text', 'requirements.yaml row 1: it must be an object'],
])('a file that is %j is refused', (text, message) => {
  const error = refusal(text);
  expect(error).toMatchObject({ code: 'catalogue_row_invalid' });
  expect(error.message).toContain(message);
});

function refusal(text: string): CatalogueError {
  try {
    renderRequirements(text, schemas);
  } catch (error) {
    if (error instanceof CatalogueError) return error;
    throw error;
  }
  throw new Error('the catalogue was accepted');
}
