import { loadOpenApi } from '@hookproof/spec/openapi';
import { expect, test } from 'vitest';

import { loadServerDocument } from '../../server-reference/src/api/server-document.ts';
import { compileComponent, compileSchema } from './openapi-validator.ts';

const { schemas } = loadServerDocument().components;

test('no schema of the contract refers to a schema of a companion operation', () => {
  const ofContract = loadOpenApi().components.schemas;
  const companions = Object.keys(schemas).filter((name) => !Object.hasOwn(ofContract, name));
  expect(companions.length).toBeGreaterThan(0);
  const text = JSON.stringify(ofContract);
  const found = companions.filter((name) => text.includes(`"#/components/schemas/${name}"`));
  expect(found).toEqual([]);
});

/** What the reference server checks is no rule of the contract. */
function withoutReference(name: string, value: unknown): unknown {
  return name === 'x-reference-constraints' ? undefined : value;
}

test('only the error envelope is closed', () => {
  const closed = Object.entries(schemas).filter(([, schema]) =>
    JSON.stringify(schema, withoutReference).includes('"additionalProperties":false'),
  );
  expect(closed.map(([name]) => name)).toEqual(['ErrorEnvelope']);
  expect(schemas['ErrorEnvelope']?.additionalProperties).toBe(false);
});

test.each(Object.keys(schemas))('%s compiles as JSON Schema 2020-12', (name) => {
  expect(compileComponent(name)).toBeTypeOf('function');
});

test('an unknown keyword of JSON Schema is refused', () => {
  expect(() => compileSchema({ type: 'string', minLenght: 1 })).toThrow(
    'unknown keyword: "minLenght"',
  );
});
