import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import { loadRequirements } from '@hookproof/spec/requirements';
import { expect, test } from 'vitest';

import { loadServerDocument } from '../../server-reference/src/api/server-document.ts';

const document = loadServerDocument();
const companions = listCompanions(document);

test('no companion operation belongs to the contract', () => {
  const ids = [...companions, ...listOperations(document)].map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(companions)(
  '$operationId has the key, the address and the errors of the others',
  (one) => {
    const { method, responses, scopes, address } = one;
    const sibling = listOperations(document).find(
      // The contract has no PUT.
      (other) =>
        other.method === (method === 'PUT' ? 'PATCH' : method) &&
        other.responses['default'] !== undefined,
    );
    const errorsOf = (all: typeof responses) =>
      // Only downloads with ranges have a 416.
      Object.entries(all).filter(([status]) => !/^[23]|416/.test(status));
    expect(errorsOf(responses)).toEqual(errorsOf(sibling?.responses ?? {}));
    expect({ scopes, address }).toEqual({ scopes: [], address: 'base' });
  },
);

test('no requirement mentions a companion operation', () => {
  for (const { operationId, method, path } of companions) {
    const speaking = loadRequirements().filter((row) => {
      const text = JSON.stringify(row);
      // `POST /v1/runs` is one, `POST /v1/runs/{id}/feedback/expected` is not.
      const [, ...after] = text.split(`${method} ${path}`);
      return text.includes(operationId) || after.some((rest) => !/^[\w/{]/.test(rest));
    });
    expect(speaking, operationId).toEqual([]);
  }
});
