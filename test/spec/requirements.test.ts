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

const changed = (from: string, to: string): string => twoRows + GOOD_ROW.replace(from, to);

const REFUSED: Readonly<Record<string, string>> = {
  'an unknown key': changed('side: api', 'side: api\n  level: 1'),
  'two reasons': changed('side: api', 'side: api\n  open: some\n  excluded: some'),
  'an id that is only an area': changed('inbox.good.row', 'inbox'),
  'an unknown area': changed('inbox.good', 'billing.good'),
  'an area with the same beginning': changed('inbox.good', 'inboxes.good'),
  'an unknown keyword': changed('keyword: must', 'keyword: MUST'),
  'an empty reason': changed('side: api', "side: api\n  excluded: ''"),
  'a rule that is not a string': changed('Something has to be true.', '12'),
  'a repeated id': changed('inbox.good.row', requirements[0]?.id ?? ''),
  'broken YAML': `${twoRows}\n  - [`,
  'an empty file': '',
};

test('a wrong row is refused with its place and the fix', () => {
  const refusals = Object.entries(REFUSED).map(([name, text]) => {
    try {
      return [name, renderRequirements(text, schemas)];
    } catch (error) {
      if (!(error instanceof CatalogueError)) throw error;
      return [name, `${error.code} ${error.message.split('\n', 1)[0]}`];
    }
  });
  expect(Object.fromEntries(refusals)).toMatchInlineSnapshot(`
    {
      "a repeated id": "id_taken requirements.yaml row 3 (versioning.wire.json-bodies): row 1 already has this id. Give the new row another id; ids are never reused.",
      "a rule that is not a string": "catalogue_row_invalid requirements.yaml row 3 (inbox.good.row): rule is 12; it must be a string of at least three characters without leading or trailing blanks. Quote it if YAML reads it as a number or a date",
      "an area with the same beginning": "catalogue_row_invalid requirements.yaml row 3 (inboxes.good.row): id is "inboxes.good.row"; it must begin with an area of the list in the schema. Choose one, or add a new area to the schema",
      "an empty file": "catalogue_row_invalid requirements.yaml: it must be an array of rows",
      "an empty reason": "catalogue_row_invalid requirements.yaml row 3 (inbox.good.row): excluded is ""; it must be a string of at least three characters without leading or trailing blanks. Quote it if YAML reads it as a number or a date",
      "an id that is only an area": "catalogue_row_invalid requirements.yaml row 3 (inbox): id is "inbox"; it must be an area and one or more lower-case kebab-case names, joined by dots, for example inbox.limit.range",
      "an unknown area": "catalogue_row_invalid requirements.yaml row 3 (billing.good.row): id is "billing.good.row"; it must begin with an area of the list in the schema. Choose one, or add a new area to the schema",
      "an unknown key": "catalogue_row_invalid requirements.yaml row 3 (inbox.good.row): unknown key "level"; the row must have exactly the keys id, keyword, side, clause and rule, and excluded or open if no check tests it",
      "an unknown keyword": "catalogue_row_invalid requirements.yaml row 3 (inbox.good.row): keyword is "MUST"; it must be one of must, should, may",
      "broken YAML": "catalogue_not_yaml requirements.yaml: A block sequence may not be used as an implicit map key at line 29, column 1:",
      "two reasons": "catalogue_row_invalid requirements.yaml row 3 (inbox.good.row): it must not have both excluded (why a black-box test cannot test it) and open (what is missing before a check can test it)",
    }
  `);
});
