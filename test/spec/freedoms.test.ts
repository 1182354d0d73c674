import { readFile } from 'node:fs/promises';
import { loadFreedoms } from '@hookproof/spec/requirements';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { CatalogueError, readSchemas, renderFreedoms } from '../../spec/generate/requirements.ts';

const specFolder = new URL('../../spec/', import.meta.url);
const yamlText = await readFile(new URL('freedoms.yaml', specFolder), 'utf8');
const schemas = await readSchemas(specFolder);
const freedoms = loadFreedoms();

test('the loader returns the rows of the YAML file', () => {
  expect(freedoms).toEqual(parse(yamlText));
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
  'a choice that is a number': ['The first choice.', '50'],
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
      "an unknown key": "catalogue_row_invalid freedoms.yaml row 3 (inbox.good.row): unknown key "side"; the row must have exactly the keys id, clause, open, reference, variants and neverAsserted",
      "no variant": "catalogue_row_invalid freedoms.yaml row 3 (inbox.good.row): variants is []; it must be an array of one or more different choices that also conform",
    }
  `);
});
