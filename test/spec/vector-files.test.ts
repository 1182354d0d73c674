import { readFileSync } from 'node:fs';
import { loadOrderingVectors, loadSignatureVectors } from '@hookproof/spec/vectors';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';

function readSpecFile(name: string): string {
  return readFileSync(new URL(`../../spec/vectors/${name}`, import.meta.url), 'utf8');
}

describe.each([
  ['signature', loadSignatureVectors()],
  ['ordering', loadOrderingVectors()],
] as const)('the file of %s vectors', (name, file) => {
  const vectors = file.groups.flatMap((group): readonly Vector[] => group.vectors);
  const schema = new Ajv2020({ strictTypes: false, allErrors: true }).compile(
    JSON.parse(readSpecFile(`${name}.schema.json`)),
  );

  test('matches its schema, which refuses a case without a comment or with an unknown key', () => {
    schema(file);
    expect(schema.errors).toBeNull();
    const broken: { groups: { vectors: object[] }[] } = JSON.parse(JSON.stringify(file));
    Object.assign(broken.groups[0]?.vectors[0] ?? {}, { comment: '', extra: true });
    expect(schema(broken)).toBe(false);
  });

  test('states the number of its cases, whose ids and groups are unique', () => {
    expect(file.numberOfVectors).toBe(vectors.length);
    const ids = vectors.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    const names = file.groups.map((group) => group.name);
    expect(names).toEqual([...new Set(names)]);
  });

  test('has a note for every flag and uses every note', () => {
    const used = new Set(vectors.flatMap(({ flags }) => flags));
    expect([...used].toSorted()).toEqual(Object.keys(file.notes).toSorted());
  });

  test('is ASCII and ends with one line feed', () => {
    expect(readSpecFile(`${name}.json`)).toMatch(/^[\n\u0020-\u007e]*\}\n$/);
  });
});

interface Vector {
  readonly id: string;
  readonly flags: readonly string[];
}
