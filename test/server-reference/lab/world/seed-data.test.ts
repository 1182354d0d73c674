import { readFileSync, readdirSync } from 'node:fs';
import { extname, sep } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';

import { SEED_DATA, SEED_FOLDER } from '../../../../server-reference/src/lab/world/seed-data.ts';

const schema = JSON.parse(readFileSync(new URL('schema.json', SEED_FOLDER), 'utf8'));
const validate = new Ajv2020({ allErrors: true, strict: true }).compile(schema);

function readAsset(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`assets/${name}`, SEED_FOLDER), 'utf8'));
}

test('seed data is valid by its schema', () => {
  validate(SEED_DATA);
  expect(validate.errors).toBeNull();
});

test('seed data breaks its schema with an unknown property, status or asset name', () => {
  const [run] = SEED_DATA.runs.tenant;
  for (const change of [{ note: 'x' }, { statuses: ['done'] }, { files: { a: '../../a.txt' } }]) {
    expect(
      validate({ ...SEED_DATA, runs: { tenant: [{ ...run, ...change }], otherTenant: [] } }),
    ).toBe(false);
  }
});

test('seed data has one file for each property of the schema', () => {
  const files = readdirSync(SEED_FOLDER).filter((name) => name.endsWith('.json'));
  const properties = Object.keys(schema.properties).map((name) => `${name}.json`);
  expect(files.toSorted()).toEqual([...properties, 'schema.json'].toSorted());
});

test('seed data uses every asset', () => {
  const folder = new URL('assets/', SEED_FOLDER);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => extname(path) !== '')
    .map((path) => path.replaceAll(sep, '/'));
  const text = JSON.stringify(SEED_DATA);
  expect(names.filter((name) => !text.includes(`"${name}"`))).toEqual([]);
});

test('what a reviewer sees equals the JSON files that an example expects', () => {
  for (const { examples } of Object.values(SEED_DATA.datasets)) {
    for (const { expected, expectedJson } of examples) {
      const names = Object.values(expected).filter((name) => name.endsWith('.json'));
      for (const name of names) expect(readAsset(name)).toEqual(expectedJson);
    }
  }
});
