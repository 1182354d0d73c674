import { describe, expect, test } from 'vitest';

import type { Check } from '@hookproof/conformance';

import { planFrom } from '../../../conformance/src/options/plan.ts';
import { selectChecks } from '../../../conformance/src/select/select.ts';

function check(id: string, side: Check['side']): Check {
  return {
    id,
    side,
    requirements: ['a.b'],
    title: id,
    access: 'read',
    needs: [],
    run: () => Promise.resolve(),
  };
}

const catalogue = [
  check('api.inbox.limit', 'api'),
  check('api.inbox.limit-above', 'api'),
  check('api.agent.slug', 'api'),
  check('sender.retry', 'sender'),
];

function select(...only: string[]): string[] {
  return selectChecks(catalogue, planFrom({ baseUrl: 'https://api.example', only })).map(
    ({ id }) => id,
  );
}

describe('selectChecks', () => {
  test('returns the checks of the selected sides', () => {
    expect(select()).toEqual(['api.inbox.limit', 'api.inbox.limit-above', 'api.agent.slug']);
  });

  test('returns the checks with an id prefix, in the order of the catalogue', () => {
    expect(select('api.agent', 'api.inbox')).toEqual([
      'api.inbox.limit',
      'api.inbox.limit-above',
      'api.agent.slug',
    ]);
  });

  test('returns only the check with an exact id', () => {
    expect(select('api.inbox.limit')).toEqual(['api.inbox.limit']);
  });

  test('refuses an only that selects nothing', () => {
    expect(() => select('api.inbox', 'api.x')).toThrow(
      new TypeError('only: no check has the id or id prefix "api.x".'),
    );
    expect(() => select('sender')).toThrow(
      new TypeError(
        'only: "sender" is on the sender side, which is not selected: select that side too.',
      ),
    );
  });
});

describe('skip', () => {
  test('leaves out the checks of a prefix, also of those that only selects', () => {
    const plan = planFrom({ baseUrl: 'http://127.0.0.1:9', only: ['api'], skip: ['api.agent'] });
    expect(selectChecks(catalogue, plan).map(({ id }) => id)).toEqual([
      'api.inbox.limit',
      'api.inbox.limit-above',
    ]);
  });

  test('refuses a pattern without a check', () => {
    const plan = planFrom({ baseUrl: 'http://127.0.0.1:9', skip: ['api.nonsense'] });
    expect(() => selectChecks(catalogue, plan)).toThrow(
      'skip: no check has the id or id prefix "api.nonsense".',
    );
  });
});
