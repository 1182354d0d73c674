import { loadSignatureVectors } from '@hookproof/spec/vectors';
import type { SignatureVector } from '@hookproof/spec/vectors';
import { describe, expect, test } from 'vitest';

import {
  isJudgeable,
  sentVectorsOf,
  vectorsOf,
} from '../../../conformance/src/checks/receiver/signature.ts';
import { VECTOR_FAMILIES } from '../../../conformance/src/checks/receiver/vector-family.ts';

const all = loadSignatureVectors().groups.flatMap(({ vectors }) => vectors);

describe('the families of vectors', () => {
  test('contain each vector that a status can judge, once', () => {
    const sent = VECTOR_FAMILIES.flatMap((family) => vectorsOf(family).map(({ id }) => id));
    const judgeable = all.filter(isJudgeable).map(({ id }) => id);
    expect(sent.toSorted()).toEqual(judgeable.toSorted());
    expect(judgeable).not.toEqual([]);
  });

  test('contain at least one vector each', () => {
    expect(VECTOR_FAMILIES.filter((family) => vectorsOf(family).length === 0)).toEqual([]);
  });

  test('contain no freedom and nothing that HTTP would change', () => {
    const sent = VECTOR_FAMILIES.flatMap(vectorsOf);
    expect(sent.filter(({ result, overHttp }) => result === 'freedom' || !overHttp)).toEqual([]);
  });

  test('contain nothing whose validity is a reading, except for advice', () => {
    const advice = new Set(['header-strict', 'timestamp-strict']);
    const musts = VECTOR_FAMILIES.filter(({ name }) => !advice.has(name)).flatMap(vectorsOf);
    expect(musts.filter(({ basis }) => basis !== 'contract').map(({ id }) => id)).toEqual([]);
  });

  test.each(['id-with-dot', 'id-with-blank', 'timestamp-leading-plus', 'body-of-64-kib'])(
    'leave %s to the receiver',
    (id) => {
      expect(all.filter((vector) => vector.id === id).map(isJudgeable)).toEqual([false]);
    },
  );

  test('send at least one vector for each bug', () => {
    for (const family of VECTOR_FAMILIES) {
      expect(flagsOf(sentVectorsOf(family)).toSorted()).toEqual(
        flagsOf(vectorsOf(family)).toSorted(),
      );
    }
    expect(VECTOR_FAMILIES.flatMap(sentVectorsOf).length).toBeLessThan(140);
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

function flagsOf(vectors: readonly SignatureVector[]): string[] {
  return [...new Set(vectors.flatMap(({ flags }) => flags))];
}
