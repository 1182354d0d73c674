import { readFile } from 'node:fs/promises';
import { loadFreedoms } from '@hookproof/spec/requirements';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { CatalogueError, readSchemas, renderFreedoms } from '../../spec/generate/requirements.ts';

const specFolder = new URL('../../spec/', import.meta.url);
const yamlText = await readFile(new URL('freedoms.yaml', specFolder), 'utf8');
const schemas = await readSchemas(specFolder);
const freedoms = loadFreedoms();

const INBOX_ITEM =
  'Resources and their fields > Dataset review request (inbox item, returned by the tenant-wide list)';
const RUN_REVIEW = 'Resources and their fields > Run review (returned wrapped as `review`)';
const REVIEW_UPDATE = 'Endpoints > PATCH /v1/automations/{id}/dataset-review-requests/{reviewId}';
const INPUT_DELETE = 'Endpoints > DELETE /v1/automations/{id}/examples/{exampleId}/input/{path}';

/** The lines of the contract that say "not shown", in order, each with its rows. */
const NOT_SHOWN: readonly [clause: string, ...ids: string[]][] = [
  [INBOX_ITEM, 'review-update.event.action-values'],
  [RUN_REVIEW, 'run-review.verdict-values'],
  [RUN_REVIEW, 'run-review.status-values'],
  [RUN_REVIEW, 'run-review.correction.kind-values'],
  [
    'Resources and their fields > Automation',
    'automation-move.automation.status-values',
    'automation-move.automation.version-format',
  ],
  ['Resources and their fields > Agent (list form)', 'agent.config'],
  [
    'Resources and their fields > Template',
    'template.token.kind-values',
    'template.token.type-values',
  ],
  ['States and transitions > Dataset review request status', 'states.review.other-transitions'],
  ['States and transitions > Review item status', 'states.item.transitions', 'states.item.values'],
  ['States and transitions > Run status', 'states.run.transitions'],
  ['Endpoints', 'status-code.success'],
  [REVIEW_UPDATE, 'review-update.body.required'],
  [INPUT_DELETE, 'input-delete.response-body'],
  ['Endpoints > GET /v1/automations/{id}/dataset/export', 'export.parameter-name'],
  ['Endpoints > GET /v1/files/{id}/content', 'file-content.media-type'],
  ['Endpoints > GET /api/v1/agents (on `{app_url}`)', 'agent.search-parameter'],
  ['Authentication', 'scope.mapping'],
  ['Authentication', 'auth.key.expiry'],
  ['Events > Delivery behavior', 'delivery.retry.schedule', 'delivery.retry.attempt-count'],
  ['Events > Delivery behavior', 'delivery.payload-limit'],
  ['Events > Delivery behavior', 'delivery.endpoint.creation'],
  ['Errors', 'envelope.issue.codes'],
  ['Errors', 'status-code.409.conditions'],
  ['Limits', 'limits.rate', 'limits.upload-size'],
  ['Limits', 'limits.redirect-threshold'],
  ['Versioning', 'versioning.deprecation'],
];

test('the loader returns the rows of the YAML file', () => {
  expect(freedoms).toEqual(parse(yamlText));
});

test('the contract says "not shown" on 26 lines', () => {
  expect(NOT_SHOWN.length).toBe(26);
});

test.each(NOT_SHOWN)('the open point under %s has its row (%s)', (clause, ...ids) => {
  for (const id of ids) {
    expect(freedoms.find((freedom) => freedom.id === id)).toMatchObject({ clause });
  }
});

test.each([
  'signature.secret.key-bytes',
  'signature.digest.case',
  'inbox.limit.default',
  'inbox.order',
  'inbox.status-filter.unknown',
  'review-update.closed.status-code',
  'automation-move.agent.status-code',
  'automation-move.folder-id.unknown',
  'automation-move.name-conflict',
  'run-review.empty-state',
  'delivery.redirects',
  'delivery.timeout',
  'delivery.retry-after.limit',
])('the open point %s has its row', (id) => {
  expect(freedoms.filter((freedom) => freedom.id === id)).toHaveLength(1);
});

test('every row states what the suite never asserts', () => {
  const others = freedoms.filter(
    ({ neverAsserted }) => !/^The suite never .+[^.]\.$/.test(neverAsserted),
  );
  expect(others).toEqual([]);
});

test('no variant repeats the choice of the reference', () => {
  expect(freedoms.filter(({ reference, variants }) => variants.includes(reference))).toEqual([]);
});

/** A catalogue of two real rows, to which the tests add a third. */
const twoRows = yamlText
  .split(/^(?=- id: )/m)
  .slice(0, 3)
  .join('');

const GOOD_ROW = `
- id: inbox.good.row
  clause: Limits
  open: What is left open.
  reference: The first choice.
  variants: [the second choice]
  neverAsserted: The suite never asserts it.
`;

test('the row that the refused rows are derived from is accepted', () => {
  const rendered: unknown = JSON.parse(renderFreedoms(twoRows + GOOD_ROW, schemas));
  expect(rendered).toEqual([...freedoms.slice(0, 2), ...parse(GOOD_ROW)]);
});

const REFUSED: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'an unknown key': ['clause:', 'side: api\n  clause:'],
  'a missing choice': ['  reference: The first choice.\n', ''],
  'no variant': ['[the second choice]', '[]'],
  'a variant that is null': ['[the second choice]', '[null]'],
  'a choice that is a number': ['The first choice.', '50'],
  'an unknown area': ['inbox.good', 'billing.good'],
  'an id that is not kebab': ['good.row', 'goodRow'],
  'a repeated id': ['inbox.good.row', freedoms[0]?.id ?? ''],
};

test('a wrong row is refused with its place and the fix', () => {
  const refusals = Object.entries(REFUSED).map(([name, [from, to]]) => {
    try {
      return [name, renderFreedoms(twoRows + GOOD_ROW.replace(from, to), schemas)];
    } catch (error) {
      if (!(error instanceof CatalogueError)) throw error;
      return [name, `${error.code} ${error.message}`];
    }
  });
  expect(Object.fromEntries(refusals)).toMatchInlineSnapshot(`
    {
      "a choice that is a number": "catalogue_row_invalid freedoms.yaml row 3 (inbox.good.row): reference is 50; it must be a string without leading or trailing blanks. Quote it if YAML reads it as a number, a date or null",
      "a missing choice": "catalogue_row_invalid freedoms.yaml row 3 (inbox.good.row): missing key "reference"; the row must have exactly the keys id, clause, open, reference, variants and neverAsserted",
      "a repeated id": "id_taken freedoms.yaml row 3 (versioning.wire.extra-members): row 1 already has this id. Give the new row another id; ids are never reused.",
      "a variant that is null": "catalogue_row_invalid freedoms.yaml row 3 (inbox.good.row): variants 0 is null; it must be a string without leading or trailing blanks. Quote it if YAML reads it as a number, a date or null",
      "an id that is not kebab": "catalogue_row_invalid freedoms.yaml row 3 (inbox.goodRow): id is "inbox.goodRow"; it must be an area and one or more lower-case kebab-case names, joined by dots, for example inbox.limit.range",
      "an unknown area": "catalogue_row_invalid freedoms.yaml row 3 (billing.good.row): id is "billing.good.row"; it must begin with an area of the list in the schema. Choose one, or add a new area to the schema",
      "an unknown key": "catalogue_row_invalid freedoms.yaml row 3 (inbox.good.row): unknown key "side"; the row must have exactly the keys id, clause, open, reference, variants and neverAsserted",
      "no variant": "catalogue_row_invalid freedoms.yaml row 3 (inbox.good.row): variants is []; it must be an array of one or more different choices that also conform",
    }
  `);
});
