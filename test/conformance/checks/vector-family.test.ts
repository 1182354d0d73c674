import { loadSignatureVectors } from '@hookproof/spec/vectors';
import { describe, expect, test } from 'vitest';

import { isJudgeable, vectorsOf } from '../../../conformance/src/checks/receiver/signature.ts';
import { VECTOR_FAMILIES } from '../../../conformance/src/checks/receiver/vector-family.ts';

const all = loadSignatureVectors().groups.flatMap(({ vectors }) => vectors);

describe('the families of vectors', () => {
  test('contain each vector that a status can judge, once', () => {
    const sent = VECTOR_FAMILIES.flatMap((family) => vectorsOf(family).map(({ id }) => id));
    const judgeable = all.filter(isJudgeable).map(({ id }) => id);
    expect(sent.toSorted()).toEqual(judgeable.toSorted());
    expect(judgeable.length).toBeGreaterThan(120);
  });

  test('contain at least one vector each', () => {
    expect(VECTOR_FAMILIES.filter((family) => vectorsOf(family).length === 0)).toEqual([]);
  });

  test('contain no freedom and nothing that HTTP would change', () => {
    const sent = VECTOR_FAMILIES.flatMap(vectorsOf);
    expect(sent.filter(({ result, overHttp }) => result === 'freedom' || !overHttp)).toEqual([]);
  });

  test('omit vectors close to the edge of the tolerance', () => {
    const edges = new Set(['timestamp-300-seconds-ago', 'timestamp-301-seconds-ahead']);
    expect(all.filter(({ id }) => edges.has(id)).map(isJudgeable)).toEqual([false, false]);
  });

  test('contain only test events', () => {
    const real = VECTOR_FAMILIES.flatMap(vectorsOf).filter(
      ({ result, bodyBase64 }) =>
        result === 'valid' &&
        !/"test"\s*:\s*true/.test(Buffer.from(bodyBase64, 'base64').toString()),
    );
    expect(real.map(({ id }) => id)).toEqual([]);
  });
});
